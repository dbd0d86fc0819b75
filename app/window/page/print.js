// PDF: figures (core/figure/canvas/pdf_browser.cpp) and handouts (core/teach/handout_pdf_browser.cpp) as the browser
// prints them, on pages of exactly their size.
addToLibrary({
  $printer: {
    sheet: null,     // what is printed in place of the page: a part of it with styles of its own
    pages: null,     // the style of its pages, which belongs to all of it
    withFonts: null, // until the page's fonts are those of the browser, too

    // Of an SVG, [what is printed, the style of pages].
    figure: (text) => {
      const svg = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
      const size = svg.getAttribute('width') + ' ' + svg.getAttribute('height');
      svg.style.display = 'block';
      return [[document.importNode(svg, true)], `@page { size: ${size}; margin: 0; }`];
    },
    // Of a web page: its element and its root are the sheet.
    handout: (text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html'), style = parsed.querySelector('style');
      const pages = style.textContent.match(/@page\s*\{[^}]*\}/g) || [];
      style.textContent = style.textContent.replace(/^(\s*)(:root|body)(?=[\s{])/gm, '$1:host');
      return [[style, ...parsed.body.childNodes].map((node) => document.importNode(node, true)), pages.join('\n')];
    },
    // Figures are laid out by the widths of these fonts.
    takeFonts: () => {
      const folder = '/usr/share/fonts/truetype/';
      const files = {'Open Sans': 'open-sans/OpenSans-Regular.ttf', 'DejaVu Sans': 'dejavu/DejaVuSans.ttf'};
      return Promise.all(Object.entries(files).map(async ([family, file]) => {
        document.fonts.add(await new FontFace(family, FS.readFile(folder + file)).load());
      }));
    },
    print: async (name, text) => {
      if (!printer.sheet) {
        printer.sheet = document.createElement('div');
        printer.sheet.id = 'sheet';
        printer.sheet.attachShadow({mode: 'open'});
        printer.pages = document.createElement('style');
        document.body.append(printer.sheet);
        document.head.append(printer.pages);
        printer.withFonts = printer.takeFonts();
      }
      await printer.withFonts.catch((failure) => console.warn('fonts: ' + failure));
      const [content, pages] = /^\s*(<\?xml|<svg)/.test(text) ? printer.figure(text) : printer.handout(text);
      printer.sheet.shadowRoot.replaceChildren(...content);
      printer.pages.textContent = pages;
      const {title} = document;
      document.title = name.replace(/\.pdf$/, '');  // which the browser makes the file's name
      window.addEventListener('afterprint', () => { document.title = title; }, {once: true});
      window.print();
    },
  },

  page_prints: () => (ENVIRONMENT_IS_NODE ? 0 : 1),
});
