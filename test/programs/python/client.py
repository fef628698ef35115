"""A site that is used through a client of another language (wp-api-client of PyPI). Prints what came of it."""

import base64
import io
import json
import os

from wp_api import ApplicationPasswordAuth, WPClient
from wp_api.exceptions import WPAPIRequestError

site_url, username, password = (os.environ[name] for name in ("SITE", "USERNAME", "PASSWORD"))
site = WPClient(site_url, auth=ApplicationPasswordAuth(username, password))
anonymous = WPClient(site_url)


def refused(call):
    try:
        call()
    except WPAPIRequestError as error:
        return [error.error_data["code"], error.status_code]
    return "done"


title = "tribe_events, käse & /rest/core/v2"
made = site.posts.create(title=title, content="Text", status="publish")
site.posts.create(title="Snake", content="Text", status="publish")
term = site.get_custom_taxonomy("tribe_events_cat").create(name="Runs")
named = site.media.upload(io.BytesIO(base64.b64decode(os.environ["PICTURE"])), "named.png", title="Named")
picture = site.media.upload(io.BytesIO(base64.b64decode(os.environ["PICTURE"])), "dot.png")
told = {
    "routes": sorted(path for path in anonymous.discover_endpoints()["routes"] if path.startswith("/tribe/events/v1/v")),
    "made": [made["status"], made["title"]["raw"]],
    "term": term["taxonomy"],
    "list": len(anonymous.posts.list(per_page=1)),
    "pages": [post["id"] == made["id"] for post in anonymous.posts.list(per_page=1, page=2)],
    "found": [post["title"]["rendered"] for post in anonymous.posts.list(search="snake")],
    "embedded": sorted(anonymous.posts.get(made["id"], _embed="author,wp:term")["_embedded"]),
    "taxonomy": site.taxonomies.get("tribe_events_cat")["types"],
    "changed": site.posts.update(made["id"], title="Changed")["title"]["raw"],
    "named": named["mime_type"],
    "picture": [picture["mime_type"], site.media.update(picture["id"], alt_text="A dot")["alt_text"]],
    "settings": "title" in site.settings.get(),
    "deleted": site.posts.delete(made["id"], force=True)["deleted"],
    "refused": [
        refused(lambda: anonymous.posts.create(title="no", content="x")),
        refused(lambda: anonymous.posts.get(made["id"])),
        refused(lambda: WPClient(site_url, auth=ApplicationPasswordAuth(username, "wrong")).posts.list()),
    ],
}
print(json.dumps(told))
