// What this device keeps for a page that plays by itself: some browsers refuse that to files, and say so by an exception.

/** A place to keep texts in, as the browser's own; in one that keeps nothing, they last as long as the page. */
function place(name) {
  try {
    const own = window[name];
    own.setItem("barline", "here");
    own.removeItem("barline");
    return { own, isKept: true };
  } catch {
    const texts = new Map();
    const own = {
      getItem: (key) => texts.get(key) ?? null,
      setItem: (key, text) => void texts.set(key, `${text}`),
      removeItem: (key) => void texts.delete(key),
    };
    return { own, isKept: false };
  }
}

const [local, session] = [place("localStorage"), place("sessionStorage")];

export const localStorage = local.own;
export const sessionStorage = session.own;
/** Whether choices are there again when the page is opened again. */
export const isKept = local.isKept;
