"""How a page looks at every size: what is cut off, too small to touch or too pale. The scripts beside this file print what it finds.
With PICTURES=folder it also takes pictures."""
import os

def size(page, width, height, scheme="dark"):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
    # The picture is drawn anew, and the digits have their new size.
    page.execute_script("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


# What is cut off at the edges or by its own box, what is too small to touch, and numbers that overlap.
LOOK = """
const shown = (each) => each.checkVisibility() && !each.closest('.heard') && !each.closest('[aria-hidden] svg');
const name = (each) => each.id || each.dataset.key || each.textContent.slice(0, 20);
const faults = [];
if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the screen');
const numbers = ['left', 'bar', 'bars-in-line', 'next-left', 'line-name'].map((id) => document.getElementById(id)).filter((each) => shown(each) && each.textContent);
for (const each of [...numbers, ...document.querySelectorAll('#thumb button')].filter(shown)) {
  const box = each.getBoundingClientRect();
  if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`${name(each)} is cut`);
}
const music = document.querySelector('main').getBoundingClientRect();
for (const each of numbers) if (each.getBoundingClientRect().right > music.right + 1) faults.push(`${name(each)} is beyond the music`);
for (const each of document.querySelectorAll('#thumb span, #sheet button, #sheet label span')) {
  if (shown(each) && each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== 'inline') faults.push(`${name(each)} is cut in its box`);
}
for (const each of document.querySelectorAll('#thumb span')) {
  const [word, button] = [each.getBoundingClientRect(), each.closest('button').getBoundingClientRect()];
  if (shown(each) && (word.left < button.left || word.right > button.right)) faults.push(`${name(each)} is wider than its button`);
}
for (const each of document.querySelectorAll('button, select, summary')) {
  const box = each.getBoundingClientRect();
  if (shown(each) && !each.disabled && (box.width < 47.5 || box.height < 47.5)) faults.push(`${name(each)} is small: ${box.width} x ${box.height}`);
}
const boxes = numbers.map((each) => [name(each), each.getBoundingClientRect()]);
boxes.forEach(([one, a], n) => boxes.slice(n + 1).forEach(([other, b]) => {
  const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  if (wide > 2 && high > 4) faults.push(`${one} and ${other} overlap`);
}));
return faults.join('; ');
"""

# The longest words of the lamp in the five languages, each in turn, and since when the page is alone.
LAMP = """
const [state, lamp, kind] = [document.getElementById('state'), document.getElementById('lamp'), document.body.dataset.lamp];
document.body.dataset.lamp = 'holding';
const cut = ['EINZÄHLER', "POINT D'ORGUE", "JUSQU'AU LAP", 'CUENTA PREVIA', 'NESSUNA SCHEDA AUDIO'].filter((word) => {
  state.textContent = word;
  lamp.style.setProperty('--letters', word.length);
  const [a, b] = [state.getBoundingClientRect(), lamp.getBoundingClientRect()];
  return a.right > b.right || a.bottom > b.bottom + 1 || state.scrollWidth > state.clientWidth + 1;
});
document.body.dataset.lamp = 'alone';
const more = document.getElementById('lamp-more');
for (const [word, text] of [['alone', 'no network since 20:15:03'], ['allein', 'kein Netz seit 20:15:03'],
  ['seul', 'pas de réseau depuis 20:15:03'], ['solo', 'nessuna rete dalle 20:15:03'], ['solo', 'sin red desde las 20:15:03']]) {
  [state.textContent, more.textContent] = [word, text];
  lamp.style.setProperty('--letters', word.length);
  const [a, b] = [more.getBoundingClientRect(), lamp.getBoundingClientRect()];
  if (a.top < b.top || a.bottom > b.bottom || a.right > b.right || more.scrollWidth > more.clientWidth + 1) cut.push(text);
}
more.textContent = '';
document.body.dataset.lamp = kind;
return cut.join(', ');
"""


def picture(page, name):
    if folder := os.environ.get("PICTURES"):
        page.save_screenshot(f"{folder}/{name}.png")


# Phones and small windows that lie.
LYING = [(540, 500), (568, 320), (600, 500), (667, 375), (700, 512), (736, 414), (896, 414)]
SIZES = [(320, 568), (390, 844), (844, 390), (1024, 768), (1920, 1080), (2560, 1440), (320, 256), (640, 512)]


def look_everywhere(page, sizes=SIZES, schemes=("dark", "light")):
    """Every size, in both schemes, and every group of the sheet."""
    script = page.execute_script
    for width, height in sizes:
        for scheme in schemes:
            size(page, width, height, scheme)
            print("look", f"{width}x{height}", script(LOOK) or "whole")
            print("look", f"{width}x{height} lamp", script(LAMP) or "whole")
            print("look", f"{width}x{height} thumb", script(THUMB) or "whole")
            picture(page, f"{width}x{height}-{scheme}")
        script("document.getElementById('more').click()")
        for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
            script("document.getElementById(arguments[0]).click()", group)
            print("look", f"{width}x{height} {group}", script(LOOK) or "whole")
            picture(page, f"{width}x{height}-{group}")
        script("document.querySelector('#tabs .close').click()")


def look_locked(page):
    """Locks the page, and looks at it at four sizes."""
    page.execute_script("document.getElementById('lock').click()")
    for width, height in [(390, 844), (844, 390), (1024, 768), (1920, 1080)]:
        size(page, width, height)
        print("look", f"{width}x{height} locked", page.execute_script(LOOK) or "whole")
        picture(page, f"{width}x{height}-locked")


# The longest words of the keys at the thumb in the five languages, each in turn.
THUMB = """
const thumb = document.getElementById('thumb');
const spans = [...thumb.querySelectorAll('button:not(.wide) span')].filter((each) => each.checkVisibility());
const [words, letters] = [spans.map((each) => each.textContent), thumb.style.getPropertyValue('--letters')];
thumb.style.setProperty('--letters', 8);
const cut = ['bloquear', 'Schleife', 'indietro'].filter((word) => {
  for (const each of spans) each.textContent = word;
  return spans.some((each) => {
    const [a, b] = [each.getBoundingClientRect(), each.closest('button').getBoundingClientRect()];
    return a.left < b.left || a.right > b.right;
  });
});
spans.forEach((each, n) => (each.textContent = words[n]));
thumb.style.setProperty('--letters', letters);
return cut.join(', ');
"""

# How well each text stands out against the ground under it, also in a flash of any color: the least contrast of the large numbers and
# of all other texts, and what is too pale.
CONTRAST = """
const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
const paint = (...colors) => {
  canvas.clearRect(0, 0, 1, 1);
  for (const color of colors) { canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1); }
  return canvas.getImageData(0, 0, 1, 1).data;
};
const light = ([red, green, blue]) => [red, green, blue].map((part) => part / 255)
  .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  .reduce((sum, part, n) => sum + part * [0.2126, 0.7152, 0.0722][n], 0);
const ratio = (one, other) => { const [a, b] = [light(one), light(other)]; return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); };
const above = (each) => { const all = []; for (let one = each; one; one = one.parentElement) all.unshift(one); return all; };
const flash = document.getElementById('flash');
const flashes = [];
for (const color of ['#56b4e9', '#e69f00', '#d55e00', '#ffffff', '#000000', '#ff0000', '#0000ff']) {
  flash.style.setProperty('--colour', color);
  flash.className = 'screen';
  flashes.push(getComputedStyle(flash).backgroundColor);
}
flash.className = '';
const back = getComputedStyle(document.documentElement).backgroundColor;
const isFlashed = (each) => document.getElementById('stage').contains(each);
const [pale, worst] = [[], { digits: Infinity, text: Infinity }];
for (const each of document.querySelectorAll('body *')) {
  const hasText = [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()) || ['INPUT', 'SELECT'].includes(each.tagName);
  const box = each.getBoundingClientRect();
  if (!hasText || !each.checkVisibility() || each.matches(':disabled') || each.closest('.heard') || box.width === 0 || box.top > innerHeight) continue;
  const styles = above(each).map((one) => getComputedStyle(one));
  const seen = styles.reduce((product, style) => product * Number(style.opacity), 1);
  const grounds = styles.slice(1).map((style) => style.backgroundColor);
  const color = styles[styles.length - 1].color.replace(/^rgb\\((.*)\\)$/, `rgba($1, ${seen})`);
  const isDigits = ['left', 'next-left', 'bar'].includes(each.id);
  for (const under of isFlashed(each) ? ['transparent', ...flashes] : ['transparent']) {
    const ground = paint(back, under, ...grounds);
    const found = ratio(paint(back, under, ...grounds, color), ground);
    const kind = isDigits ? 'digits' : 'text';
    worst[kind] = Math.min(worst[kind], found);
    if (found < (isDigits ? 7 : 4.5)) pale.push(`${each.id || each.tagName} "${each.textContent.trim().slice(0, 20)}" ${found.toFixed(1)} on ${under}`);
  }
}
return [worst.digits.toFixed(1), worst.text.toFixed(1), [...new Set(pale)].slice(0, 6).join('; ') || 'clear'];
"""


def contrast(page):
    """How well everything can be read, in both schemes: the music, also while it flashes, and each group of the sheet."""
    script = page.execute_script
    for scheme in ["dark", "light"]:
        for width, height in [(390, 844), (1024, 768)]:
            size(page, width, height, scheme)
            print("contrast", scheme, f"{width}x{height}", *script(CONTRAST))
            script("document.getElementById('more').click()")
            for group in script("return [...document.querySelectorAll('[role=tab]:not([hidden])')].map((each) => each.id)"):
                script("document.getElementById(arguments[0]).click()", group)
                print("contrast", scheme, f"{width}x{height} {group}", *script(CONTRAST))
            script("document.querySelector('#tabs .close').click()")
