// Waits until the system or a person stops the program. Used by what serves over
// HTTP.

export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => resolve();
    process.once("SIGTERM", stop).once("SIGINT", stop);
  });
}
