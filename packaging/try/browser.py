"""A headless Chromium as a person has it: a window of some size, a light or dark scheme, a keyboard, with scripts or without.

It trusts the keys of the servers that it is given, and nothing else that is not public.
"""
import base64
import hashlib
import shutil
import ssl
import time
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FOCUSED = """
let node = document.activeElement;
while (node && node.shadowRoot && node.shadowRoot.activeElement) node = node.shadowRoot.activeElement;
if (!node || node === document.body) return "";
const label = node.labels && node.labels.length ? node.labels[0].innerText : "";
return (label || node.getAttribute("aria-label") || node.innerText || node.id).trim().replace(/\\s+/g, " ");
"""


class Missing(Exception):
    """Something did not appear in time."""


def key_hash(certificate):
    """Hash of the key of a certificate (PEM), in the form in which Chromium takes it."""
    signed = next(elements(content(ssl.PEM_cert_to_DER_cert(certificate))))
    fields = [field for field in elements(content(signed)) if field[0] != VERSION]
    return base64.b64encode(hashlib.sha256(fields[KEY]).digest()).decode()


# Place of the key among the fields of a certificate without its version, and the tag of that (RFC 5280, 4.1).
KEY, VERSION = 5, 0xA0


def elements(octets):
    """Elements of DER that follow each other."""
    while octets:
        end = sum(extent(octets))
        yield octets[:end]
        octets = octets[end:]


def content(element):
    """Content of the first element."""
    start, size = extent(element)
    return element[start:start + size]


def extent(octets):
    """Octets before the content of the first element, and of the content (X.690, 8.1.3)."""
    first = octets[1]
    if first < 0x80:
        return 2, first
    count = first & 0x7F
    return 2 + count, int.from_bytes(octets[2:2 + count], "big")


class Browser:
    """One window with a profile of its own; `keys` are hashes of keys to trust, `scripts` whether pages may run any."""

    def __init__(self, profile, keys=(), scripts=True, language="en", width=1000, height=800):
        chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
        if not chromium or not driver:
            raise Missing("Chromium and its driver are not installed: apt-get install chromium chromium-driver")
        options = webdriver.ChromeOptions()
        options.binary_location = chromium
        for argument in ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                         "--disable-background-networking", f"--user-data-dir={profile}", f"--lang={language}",
                         "--hide-scrollbars"]:
            options.add_argument(argument)
        if keys:
            options.add_argument("--ignore-certificate-errors-spki-list=" + ",".join(keys))
        preferences = {"intl.accept_languages": language}
        if not scripts:
            preferences["profile.managed_default_content_settings.javascript"] = 2
        options.add_experimental_option("prefs", preferences)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.driver.set_page_load_timeout(30)
        self.driver.set_script_timeout(30)
        self.size(width, height)
        self.scheme("light")

    def close(self):
        """Ends the browser."""
        self.driver.quit()

    # What the person has in front of them

    def open(self, address):
        """Goes to an address."""
        self.driver.get(address)

    def size(self, width, height, scale=1):
        """Gives the window a size in CSS pixels."""
        self._tell("Emulation.setDeviceMetricsOverride",
                   {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False})

    def scheme(self, name):
        """Light or dark, as the system of the person says."""
        self._tell("Emulation.setEmulatedMedia", {"features": [
            {"name": "prefers-color-scheme", "value": name}, {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def zoom(self, percent):
        """Size of everything, as Ctrl and plus make it: the window has fewer CSS pixels then."""
        self.size(1280 * 100 // percent, 1024 * 100 // percent)

    def hide(self):
        """Hides the page, as behind another tab; a headless browser does that only for a window that is minimized."""
        self._window("minimized")
        self.until(lambda: self.run("return document.hidden"), "the hidden page")

    def show(self):
        """Shows it again."""
        self._window("normal")
        self.until(lambda: not self.run("return document.hidden"), "the visible page")

    @property
    def address(self):
        """Address of the page."""
        return self.driver.current_url

    @property
    def title(self):
        """Title of the page."""
        return self.driver.title

    def find(self, selector):
        """First element that a selector fits; None without one."""
        try:
            return self.driver.find_element(By.CSS_SELECTOR, selector)
        except NoSuchElementException:
            return None

    def all(self, selector):
        """Elements that a selector fits."""
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector="body"):
        """Visible text of an element; empty without one."""
        try:
            element = self.find(selector)
            return element.text or "" if element else ""
        except StaleElementReferenceException:
            return ""

    def attribute(self, selector, name):
        """Attribute or property of an element; None without one."""
        try:
            element = self.find(selector)
            return element.get_attribute(name) if element else None
        except StaleElementReferenceException:
            return None

    def until(self, condition, what, seconds=60):
        """Value of a condition as soon as it is true; throws Missing with `what` otherwise."""
        end = time.monotonic() + seconds
        while True:
            try:
                value = condition()
                if value:
                    return value
            except (StaleElementReferenceException, WebDriverException):
                pass
            if time.monotonic() > end:
                raise Missing(f"{what}: not within {seconds} s, the page says: {self._page_text()}")
            time.sleep(0.1)

    def until_text(self, wanted, selector="body", seconds=60):
        """Waits for a text within an element."""
        self.until(lambda: wanted in self.text(selector), f"the text {wanted!r}", seconds)

    def press(self, wanted, within="body"):
        """Clicks the button, link or summary that says this, or else the first that begins with it."""
        def pressed():
            found = [element for element in self.all(f"{within} button, {within} a, {within} summary")
                     if element.text.strip().startswith(wanted) and element.is_displayed() and element.is_enabled()]
            if not found:
                return False
            next((element for element in found if element.text.strip() == wanted), found[0]).click()
            return True
        self.until(pressed, f"the button {wanted!r}")

    def fill(self, label, value):
        """Types into the field with this label."""
        def candidate():
            for element in self.all("label"):
                if element.text.strip().startswith(label) and element.is_displayed():
                    field = self.find("#" + element.get_attribute("for")) if element.get_attribute("for") else \
                        element.find_element(By.CSS_SELECTOR, "input")
                    if field is not None and field.is_enabled():
                        return field
            return None
        field = self.until(candidate, f"the field {label!r}")
        if field.get_attribute("type") != "file":
            field.clear()
        field.send_keys(value)

    def run(self, script, *arguments):
        """Value of a script in the page."""
        return self.driver.execute_script(script, *arguments)

    def cookie(self, name):
        """Cookie of the page; None without one."""
        return self.driver.get_cookie(name)

    def complaints(self):
        """Errors in the console since the last call: refusals by the policy, scripts that failed."""
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]

    # Keyboard

    def type(self, text):
        """Types where the focus is."""
        webdriver.ActionChains(self.driver).send_keys(text).perform()

    def key(self, key):
        """Presses a key where the focus is."""
        self.type(key)

    @property
    def focused(self):
        """Label of the element that has the focus, also within shadow trees."""
        return self.run(FOCUSED)

    def tab_to(self, label, limit=60):
        """Presses Tab until an element with this label has the focus."""
        passed = []
        for _ in range(limit):
            if self.focused.startswith(label):
                return
            passed.append(self.focused)
            self.key(Keys.TAB)
        raise Missing(f"Tab never reaches {label!r}; it passes {passed}")

    # Judgement

    @property
    def overflow(self):
        """CSS pixels by which the page is wider than its window."""
        return self.run("return Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)")

    def picture(self, path, selector=None, margin=0, scale=2):
        """PNG of the window, or of an element with a margin around."""
        parameters = {"format": "png", "captureBeyondViewport": True}
        if selector:
            box = self.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                           "return [b.x + scrollX, b.y + scrollY, b.width, b.height]", selector)
            x, y, width, height = box
        else:
            x, y = 0, 0
            width, height = self.run("return [document.documentElement.clientWidth, document.documentElement.scrollHeight]")
        parameters["clip"] = {"x": max(0, x - margin), "y": max(0, y - margin), "width": width + 2 * margin,
                              "height": height + 2 * margin, "scale": scale}
        Path(path).write_bytes(base64.b64decode(self._tell("Page.captureScreenshot", parameters)["data"]))

    def _page_text(self):
        try:
            return " ".join(self.driver.find_element(By.TAG_NAME, "body").text.split())[:300]
        except WebDriverException:
            return "nothing"

    def _window(self, state):
        window = self._tell("Browser.getWindowForTarget", {})["windowId"]
        self._tell("Browser.setWindowBounds", {"windowId": window, "bounds": {"windowState": state}})

    def _tell(self, command, parameters):
        return self.driver.execute_cdp_cmd(command, parameters)
