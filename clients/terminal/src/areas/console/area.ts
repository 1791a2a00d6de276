/** What every area of the console is given. */
import type { OperatorSession } from '@orrery/api';

export interface AreaProps {
  /** Who is signed in. */
  readonly me: OperatorSession;
}
