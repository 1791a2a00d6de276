/** How `npm run cluster -- kill …` reaches the cluster that runs: a socket in its folder, one line each way. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const socketIn = (directory: string): string => join(directory, 'control.sock');

async function answers(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

export interface Asked {
  readonly line: string;
  readonly say: (line: string) => void;
}

/** @throws Error when a cluster runs in the folder */
export async function checkAlone(directory: string): Promise<void> {
  if (await answers(socketIn(directory))) throw new Error(`a cluster runs in ${directory} already`);
  rmSync(socketIn(directory), { force: true });
}

/** Of the machine: namespaces, addresses and ports are the same for every cluster. The system frees the name with the process. */
const MACHINE = '\0orrery-cluster';

/** @throws Error when a cluster runs on this machine, in whatever folder */
export async function holdMachine(): Promise<void> {
  const server = createServer().listen(MACHINE);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Error('a cluster runs on this machine already', { cause });
  }
  server.unref();
}

export const isMachineHeld = (): Promise<boolean> => answers(MACHINE);

/** Takes one request at a time; its lines go to who asked. */
export async function takeRequests(directory: string, act: (asked: Asked) => Promise<void>): Promise<Server> {
  const path = socketIn(directory);
  let last: Promise<void> = Promise.resolve();
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    createInterface({ input: socket }).once('line', (line) => {
      const say = (said: string): void => void (socket.writable && socket.write(`${said}\n`));
      last = last.then(() => act({ line, say })).catch((error: unknown) => say(String(error)));
      void last.then(() => socket.end());
    });
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

/** @throws Error when no cluster runs in the folder. */
export async function ask(directory: string, line: string): Promise<void> {
  const socket = connect(socketIn(directory));
  try {
    await once(socket, 'connect');
  } catch (cause) {
    throw new Error(`no cluster runs in ${directory}: start it with npm run cluster`, { cause });
  }
  socket.write(`${line}\n`);
  for await (const said of createInterface({ input: socket })) process.stdout.write(`${said}\n`);
}
