// Characters that no font of the page has, drawn by the device's own (core/figure/text/device_glyph_browser.cpp).
addToLibrary({
  $glyphs: {
    // Chinese in its simplified forms, also where the device prefers others.
    families: 'system-ui, "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", sans-serif',
    canvas: null,
    known: {},  // whether the device has a font for a character

    // A canvas of that many pixels, with `text` not yet drawn; null outside browsers.
    context: (em, width = 1, height = 1) => {
      if (typeof OffscreenCanvas === 'undefined') return null;
      if (!glyphs.canvas) glyphs.canvas = new OffscreenCanvas(width, height);
      Object.assign(glyphs.canvas, {width, height});
      const context = glyphs.canvas.getContext('2d', {willReadFrequently: true});
      if (context) Object.assign(context, {font: em + 'px ' + glyphs.families, textBaseline: 'alphabetic', fillStyle: '#fff'});
      return context;
    },
    // The advance, and the ink in whole pixels from the pen: right of it, and below the baseline.
    measured: (context, text) => {
      const size = context.measureText(text);
      return {
        advance: size.width,
        left: Math.floor(-size.actualBoundingBoxLeft), right: Math.ceil(size.actualBoundingBoxRight),
        top: Math.floor(-size.actualBoundingBoxAscent), bottom: Math.ceil(size.actualBoundingBoxDescent),
      };
    },
    // A browser without a font draws a box, the same for all characters of as many hexadecimal digits.
    isDrawn: (character) => {
      if (!(character in glyphs.known)) {
        const context = glyphs.context(200);
        const shape = (code) => JSON.stringify(glyphs.measured(context, String.fromCodePoint(code)));
        const unassigned = character > 0xffff ? 0x6fff0 : 0x0378;
        glyphs.known[character] = context !== null && shape(character) !== shape(unassigned);
      }
      return glyphs.known[character];
    },
    // White ink is a mask; what is not white has colours of its own.
    isColored: (data) => {
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3] > 128 && Math.min(data[i], data[i + 1], data[i + 2]) < 250) return true;
      return false;
    },
  },

  page_glyph__deps: ['$glyphs', 'malloc'],
  // Browsers look for the device's fonts on the page's own thread, which may be waiting for the one that asks.
  page_glyph__proxy: 'sync',
  page_glyph: (character, em, size, advance) => {
    if (!glyphs.isDrawn(character)) return 0;
    const text = String.fromCodePoint(character), ink = glyphs.measured(glyphs.context(em), text);
    const width = Math.max(1, ink.right - ink.left), height = Math.max(1, ink.bottom - ink.top);
    const context = glyphs.context(em, width, height);
    context.fillText(text, -ink.left, -ink.top);
    const {data} = context.getImageData(0, 0, width, height);
    const pixels = _malloc(data.length);
    HEAPU8.set(data, pixels);
    HEAP32.set([width, height, ink.left, -ink.top, glyphs.isColored(data) ? 1 : 0], size >> 2);
    HEAPF64[advance >> 3] = ink.advance;
    return pixels;
  },
});
