// Of a page in parts: keeps them for when there is no network. What is named by its content never changes.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
// Browsers allow threads to a page that has nothing of others in it, and says so.
const isolated = ({body, status, statusText, headers}) => {
  const saying = new Headers(headers);
  saying.set('Cross-Origin-Opener-Policy', 'same-origin');
  saying.set('Cross-Origin-Embedder-Policy', 'require-corp');
  return new Response(body, {status, statusText, headers: saying});
};
self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  const answer = async () => {
    const kept = await caches.open('headscope');
    const same = await kept.match(event.request, {ignoreSearch: true});
    if (same && /-[0-9a-f]{12}\./.test(event.request.url)) return same;
    try {
      const fresh = await fetch(event.request);
      if (fresh.ok) kept.put(event.request, fresh.clone());
      return fresh;
    } catch (failure) {
      if (same) return same;
      throw failure;
    }
  };
  const isolates = location.search === '?threads' && event.request.mode === 'navigate';
  event.respondWith(isolates ? answer().then(isolated) : answer());
});
