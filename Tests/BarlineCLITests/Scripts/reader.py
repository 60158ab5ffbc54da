"""A page as people meet it who use a keyboard or a screen reader. Prints what it finds for the tests."""
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

CONTROLS = {"button", "textbox", "searchbox", "radio", "checkbox", "combobox", "listbox", "slider", "spinbutton", "link", "switch",
            "DisclosureTriangle", "DisclosureTriangleGrouped", "menuitem", "tab"}
LANDMARKS = {"banner", "main", "navigation", "region", "contentinfo"}


def examine(page, kind):
    """Every control and landmark that a screen reader meets, with its name."""
    page.execute_cdp_cmd("Accessibility.enable", {})
    nodes = page.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    for node in nodes:
        role = node.get("role", {}).get("value")
        name = node.get("name", {}).get("value", "").strip()
        if node.get("ignored"):
            continue
        if role in CONTROLS:
            print(kind, "control", role, name or "WITHOUT A NAME")
        if role in LANDMARKS:
            print(kind, "landmark", role, name)
        live = [each for each in node.get("properties", []) if each["name"] == "live"]
        if live and live[0]["value"]["value"] != "off":
            print(kind, "live", live[0]["value"]["value"])


def tab_through(page, kind):
    """Presses Tab until the focus has been everywhere; tells where it was, and whether one could see it."""
    page.execute_script("document.activeElement.blur(); window.getSelection().removeAllRanges(); window.scrollTo(0, 0)")
    # Otherwise Tab would go on from where the focus was last.
    page.execute_script("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    page.execute_script("""window.order = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
        .filter((each) => each.checkVisibility() && !each.matches(':disabled') && each.tabIndex >= 0
            && !(each.type === 'radio' && !each.checked && each.form === null
                && document.querySelector(`input[type=radio][name="${each.name}"]:checked`)))""")
    count = page.execute_script("return order.length")
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.TAB)
    seen = []
    for _ in range(count):
        place, what, outline, inside = page.execute_script("""const each = document.activeElement, style = getComputedStyle(each),
            box = each.getBoundingClientRect();
            return [order.indexOf(each), each.id || each.textContent || each.getAttribute('aria-label') || each.tagName,
              style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
              box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth]""")
        seen.append(place)
        if outline < 2 or not inside:
            print(kind, "unseen", what, outline, inside)
        # Keys sent to a field for files would be taken as the name of a file.
        ActionChains(page).send_keys(Keys.TAB).perform()
    print(kind, "order", "sensible" if seen == list(range(count)) else seen, count)
