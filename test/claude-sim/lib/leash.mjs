/**
 * Calls `end` when the process named by CLAUDE_SIM_LEASH is gone, so that a test run that was killed leaves no
 * stand-ins behind.
 */
export function leash(end) {
  const pid = Number(process.env.CLAUDE_SIM_LEASH);
  if (!pid) return;
  const timer = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch (error) {
      if (error.code === 'ESRCH') end();
    }
  }, 1000);
  timer.unref();
}
