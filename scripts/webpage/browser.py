"""Drives Debian's Chromium by its DevTools protocol, through pipes, with the standard library alone."""
import base64
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

FLAGS = ("--headless --no-sandbox --disable-quic --no-first-run --disable-background-networking "
         "--disable-component-update --disable-sync --use-angle=swiftshader --enable-unsafe-swiftshader "
         "--hide-scrollbars --remote-debugging-pipe").split()
NAMED_KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "Backspace": 8, "Delete": 46, "ArrowLeft": 37, "ArrowUp": 38,
              "ArrowRight": 39, "ArrowDown": 40, "Home": 36, "End": 35, "PageUp": 33, "PageDown": 34, "F1": 112,
              "F5": 116, "F6": 117, "F9": 120, "F11": 122}
MODIFIERS = {"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}


class Browser:
    """One window of a browser with a profile of its own, and what it said."""

    def __init__(self, width: int = 1280, height: int = 800, language: str = "en-US", phone: bool = False):
        self.width, self.height, self.phone = width, height, phone
        self._scripts: list[str] = []
        self.profile = tempfile.mkdtemp(prefix="headscope-page-")
        self.downloads = pathlib.Path(self.profile) / "downloads"
        self.messages: list[str] = []
        self.failures: list[str] = []
        self.requests: list[str] = []
        self._number = 0
        self._answers: dict[int, dict] = {}
        to_child, self._to = os.pipe()
        self._from, from_child = os.pipe()

        def take_pipes():
            ends = os.dup(to_child), os.dup(from_child)  # either may be 3 or 4 itself
            for place, end in zip((3, 4), ends):
                os.dup2(end, place)
                os.set_inheritable(place, True)

        self._process = subprocess.Popen(
            ["chromium", *FLAGS, f"--user-data-dir={self.profile}", f"--window-size={width},{height}",
             f"--lang={language}", f"--accept-lang={language}", "about:blank"],
            preexec_fn=take_pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        os.set_blocking(self._from, False)
        self._rest = b""
        self._session = None
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self._attach(target["targetId"])
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(self.downloads))

    def _attach(self, target: str):
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height,
                  deviceScaleFactor=3 if self.phone else 1, mobile=self.phone)
        if self.phone:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True)

    def open_tab(self) -> str:
        """Another tab, which is used from now on; returns the one before, for show_tab()."""
        before = self._session
        self._attach(self.call("Target.createTarget", url="about:blank")["targetId"])
        for script in self._scripts:
            self.call("Page.addScriptToEvaluateOnNewDocument", source=script)
        return before

    def show_tab(self, tab: str) -> str:
        before, self._session = self._session, tab
        self.call("Page.bringToFront")
        return before

    def close_tab(self, next_tab: str):
        self.call("Page.close")
        self._session = next_tab

    def close(self):
        self._process.terminate()
        self._process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _read(self, seconds: float):
        end = time.monotonic() + seconds
        while True:
            try:
                part = os.read(self._from, 1 << 20)
                if not part:
                    raise RuntimeError("the browser has ended")
                self._rest += part
                *messages, self._rest = self._rest.split(b"\0")
                for message in messages:
                    self._take(json.loads(message))
                if messages:
                    return
            except BlockingIOError:
                if time.monotonic() > end:
                    return
                time.sleep(0.005)

    def _take(self, message: dict):
        if "id" in message:
            self._answers[message["id"]] = message
            return
        what = message.get("params", {})
        if message["method"] == "Runtime.consoleAPICalled":
            self.messages.append(what["type"] + ": " + " ".join(str(one.get("value", one.get("description"))) for one in what["args"]))
        elif message["method"] == "Runtime.exceptionThrown":
            details = what["exceptionDetails"]
            self.failures.append(details.get("exception", {}).get("description", details["text"]))
        elif message["method"] == "Log.entryAdded":
            self.messages.append(what["entry"]["level"] + ": " + what["entry"]["text"])
        elif message["method"] == "Page.fileChooserOpened":
            self.chooser = what
        elif message["method"] == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"][:200])

    def call(self, method: str, timeout: float = 60, **arguments) -> dict:
        self._number += 1
        number = self._number
        message = {"id": number, "method": method, "params": arguments}
        if self._session and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + timeout
        while number not in self._answers:
            if time.monotonic() > end:
                raise TimeoutError(f"{method} took more than {timeout} s")
            self._read(0.1)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def before_page(self, script: str):
        self._scripts.append(script)
        self.call("Page.addScriptToEvaluateOnNewDocument", source=script)

    def open(self, url: str):
        self.call("Page.navigate", url=url)

    def evaluate(self, expression: str, timeout: float = 60):
        result = self.call("Runtime.evaluate", timeout, expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        return result["result"].get("value")

    def wait_until(self, expression: str, seconds: float = 30):
        """Real seconds until the expression is true; raises TimeoutError."""
        begin = time.monotonic()
        while not self.evaluate(expression):
            if time.monotonic() - begin > seconds:
                raise TimeoutError(f"{expression} is not true after {seconds} s")
            time.sleep(0.02)
        return time.monotonic() - begin

    def screenshot(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    # Input.

    def tap(self, x: float, y: float):
        self.touch("Start", (x, y))
        time.sleep(0.06)
        self.touch("End")

    def move(self, x: float, y: float):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float, button: str = "left"):
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def touch(self, kind: str, *places: tuple[float, float]):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        self.call("Input.dispatchTouchEvent", type="touch" + kind, touchPoints=points)

    def choose(self, press, file):
        """The file in the chooser that press() opens."""
        self.call("Page.setInterceptFileChooserDialog", enabled=True)
        self.chooser = None
        press()
        end = time.monotonic() + 10
        while self.chooser is None:
            if time.monotonic() > end:
                raise TimeoutError("no file chooser was opened")
            self._read(0.1)
        self.call("DOM.setFileInputFiles", files=[str(file)], backendNodeId=self.chooser["backendNodeId"])

    def drop(self, x: float, y: float, path):
        """A file or folder of this machine, as from its file manager."""
        for kind in ("dragEnter", "dragOver", "drop"):
            self.call("Input.dispatchDragEvent", type=kind, x=x, y=y,
                      data={"items": [], "files": [str(path)], "dragOperationsMask": 1})

    def type(self, text: str):
        for character in text:
            code = "Space" if character == " " else "Key" + character.upper() if character.isascii() and character.isalpha() else ""
            key = {"key": character, "code": code, "windowsVirtualKeyCode": ord(character.upper()) if character.isascii() else 0}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=character, **key)
            self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    def press(self, keys: str):
        """Such as "Control+z" or "Tab"."""
        *held, name = keys.split("+")
        modifiers = sum(MODIFIERS[one] for one in held)
        letter = len(name) == 1 and name.isalpha()
        code = "Key" + name.upper() if letter else "Digit" + name if name.isdigit() else name
        key = {"key": name, "code": code, "modifiers": modifiers,
               "windowsVirtualKeyCode": NAMED_KEYS.get(name, ord(name[0].upper()))}
        for one in held:
            self.call("Input.dispatchKeyEvent", type="rawKeyDown", key=one, code=one + "Left", modifiers=modifiers)
        self.call("Input.dispatchKeyEvent", type="rawKeyDown", **key)
        self.call("Input.dispatchKeyEvent", type="keyUp", **key)
        for one in reversed(held):
            self.call("Input.dispatchKeyEvent", type="keyUp", key=one, code=one + "Left")
