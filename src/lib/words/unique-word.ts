let made = 0;

/** A word no other process or call of this machine makes: for names of temp files, locks and reservations. Not a secret. */
export function uniqueWord(): string {
  made += 1;
  const chance = Math.floor(Math.random() * 2 ** 32);
  return [process.hrtime.bigint(), process.pid, made, chance].map((part) => part.toString(36)).join('-');
}
