/** What is used of the library of SMTP: it is loaded when the first e-mail leaves, and only where a server is configured. */
declare module 'nodemailer' {
  interface Transport {
    sendMail(mail: { from: string; to: string; subject: string; text: string }): Promise<unknown>;
    close(): void;
  }
  export function createTransport(options: {
    host: string;
    port: number;
    secure: boolean;
    requireTLS: boolean;
    auth?: { user: string; pass: string };
    connectionTimeout: number;
    greetingTimeout: number;
    socketTimeout: number;
    disableFileAccess: true;
    disableUrlAccess: true;
  }): Transport;
}
