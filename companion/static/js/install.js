// Loaded over HTTPS only: there the app can be installed, and opens without a connection.
const register = () => navigator.serviceWorker?.register("/sw.js", { scope: "/" }).catch(() => {});
if (document.readyState === "complete") register();
else addEventListener("load", register);
