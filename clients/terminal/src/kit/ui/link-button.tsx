/** A link that looks like a button: it goes somewhere, so it can be opened in another tab. */
import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactElement } from 'react';
import { buttonClasses } from './button-classes.ts';
import type { ButtonLook } from './button-classes.ts';
import { classes } from './classes.ts';

interface AnchorProps extends ComponentProps<'a'>, ButtonLook {}

function Anchor({ kind, size, className, ...rest }: AnchorProps): ReactElement {
  return <a {...rest} className={classes(buttonClasses({ kind, size }), className)} />;
}

export const LinkButton = createLink(Anchor);
