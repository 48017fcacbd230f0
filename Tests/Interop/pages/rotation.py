"""Rotation of the sign-in code: visible and hidden, after sleep and without a connection; and which codes a phone may take."""
import base64
import re
import time

ROTATION = 15  # seconds, `code-rotation` of the stage
WAITING = "Waiting for your phone"
CODE = """
const done = arguments[arguments.length - 1], image = document.getElementById("code"), reader = new FileReader();
reader.onload = () => done(reader.result.split(",")[1]);
fetch(image.src, { cache: "no-store" }).then((answer) => answer.ok ? answer.blob() : Promise.reject(answer.status))
  .then((blob) => reader.readAsDataURL(blob), (status) => done("status " + status));
"""


def begin(laptop, shop, button):
    """Goes from the shop to the page with the code."""
    laptop.open(shop)
    laptop.press(button)
    laptop.until(lambda: laptop.find("#link"), "the page with its code and link")


def shown(laptop):
    """Number of the code that the page shows while it waits for the phone; None in every other state."""
    if laptop.text("#state") != WAITING or not laptop.run("return document.getElementById('code')?.naturalWidth > 0"):
        return None
    found = re.search(r"\bround=(\d+)$", laptop.attribute("#code", "src") or "")
    return int(found.group(1)) if found else None


def watch(laptop, rotations, hidden):
    """Looks at the page through some rotations; returns the numbers of its codes, and raises where it shows none."""
    seen = [laptop.until(lambda: shown(laptop), "a code on the page")]
    end = time.monotonic() + (rotations + 1) * ROTATION + 10
    missed = 0
    while len(seen) <= rotations and time.monotonic() < end:
        if laptop.run("return document.hidden") != hidden:
            raise AssertionError(f"the page is {'visible' if hidden else 'hidden'}")
        number = shown(laptop)
        # A picture that is being loaded is no picture for a moment.
        missed = missed + 1 if number is None else 0
        if missed > 10:
            raise AssertionError(f"no code after {seen}: {laptop.text('main')[:200]!r}")
        if number is not None and number != seen[-1]:
            seen.append(number)
        time.sleep(0.2)
    return seen


def picture(stage, laptop):
    """File with the code that the page shows."""
    octets = laptop.driver.execute_async_script(CODE)
    assert not octets.startswith("status"), f"the picture of the code: {octets}"
    path = stage.folder / "code.png"
    path.write_bytes(base64.b64decode(octets))
    return path


def through(report, stage, laptop, phone, shop, button, end):
    """A page is open through three rotations, then hidden through three; then its code signs in."""
    begin(laptop, shop, button)
    name = "payment page" if button != "Sign in with the phone" else "sign-in page"
    report.check(f"{name}: shows four codes one after the other", len(seen := watch(laptop, 3, hidden=False)) == 4, str(seen))
    laptop.hide()
    report.check(f"{name}: shows four codes while it is hidden", len(seen := watch(laptop, 3, hidden=True)) == 4, str(seen))
    laptop.show()
    phone.scan(picture(stage, laptop))
    phone.confirm()
    laptop.until_text(end)
    report.check(f"{name}: the code on the screen still signs in after that", True)


def link_until(laptop, wanted):
    """Link of the first code of a page, as soon as the page shows the code with the wanted number."""
    laptop.until(lambda: shown(laptop) == 1, "the first code")
    link = laptop.attribute("#link", "href")
    laptop.until(lambda: shown(laptop) == wanted, f"code {wanted}", (wanted - 1) * ROTATION + 10)
    return link


def overlap(report, laptop, phone, shop):
    """A phone may take the code on the screen and the one before; the one before that has ended."""
    begin(laptop, shop, "Sign in with the phone")
    phone.open(link_until(laptop, 3))
    phone.browser.until_text("expired", "#live")
    report.check("sign-in page: a phone is told that the code before last has expired", True, phone.notice)
    begin(laptop, shop, "Sign in with the phone")
    phone.open(link_until(laptop, 2))
    phone.asked("You are asked to confirm", "Is that yours?")
    laptop.until_text("Your phone shows the request", "#state")
    report.check("sign-in page: follows the phone that has taken the code before", True)
    phone.confirm()
    laptop.until_text("Hello anna")
    report.check("sign-in page: the code before signs in", True)


def away(report, stage, laptop, phone, shop, name, leave, come_back):
    """The page is away for longer than a code lives; when it comes back, it shows a code that signs in."""
    begin(laptop, shop, "Sign in with the phone")
    before = laptop.until(lambda: shown(laptop), "a code on the page")
    leave()
    time.sleep(2 * ROTATION + 5)
    come_back()
    number = laptop.until(lambda: (found := shown(laptop)) and found > before and found, f"a newer code after {name}", 40)
    report.check(f"sign-in page: shows a new code after {name}", number > before, f"{before}, {number}")
    phone.scan(picture(stage, laptop))
    phone.confirm()
    laptop.until_text("Hello anna")
    report.check(f"sign-in page: the code after {name} signs in", True)


def everything(report, stage, laptop, phone, shop, leave):
    """`leave` ends the sessions of shop and provider."""
    through(report, stage, laptop, phone, shop, "Sign in with the phone", "Hello anna")
    through(report, stage, laptop, phone, shop, "Buy the umbrella", "Paid:")
    leave(laptop, shop)
    overlap(report, laptop, phone, shop)
    leave(laptop, shop)
    tell = laptop.driver.execute_cdp_cmd
    away(report, stage, laptop, phone, shop, "a sleep of the laptop",
         lambda: tell("Page.setWebLifecycleState", {"state": "frozen"}),
         lambda: tell("Page.setWebLifecycleState", {"state": "active"}))
    leave(laptop, shop)
    offline = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    tell("Network.enable", {})
    away(report, stage, laptop, phone, shop, "a lost connection",
         lambda: tell("Network.emulateNetworkConditions", {"offline": True, **offline}),
         lambda: tell("Network.emulateNetworkConditions", {"offline": False, **offline}))
    leave(laptop, shop)
