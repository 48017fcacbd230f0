import Crypto
import Foundation
import Octets

/// Documents of the phone page; the script fills the first with the state of the phone.
enum PhonePageDocument {
    /// Style and scripts, which the browser takes only with these contents.
    private static let parts = """
        <link rel="stylesheet" href="/page.css" integrity="\(integrity(PackageResources.page_css))">
        <script src="/texts.js" integrity="\(integrity(PackageResources.texts_js))" defer></script>
        <script src="/page.js" integrity="\(integrity(PackageResources.page_js))" defer></script>
        """

    private static func integrity(_ content: [UInt8]) -> String {
        "sha384-\(Data(SHA384.hash(data: content)).base64EncodedString())"
    }

    /// Document of the phone; the token stands in it only when it is given out for the first time.
    static func page(token: Sensitive<String>?) -> String {
        let mark = token.map { "<meta name=\"signet-page\" content=\"\($0.reveal())\">\n" } ?? ""
        return """
            <!doctype html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(mark)<title>Signet phone</title>
            \(parts)
            </head>
            <body>
            <a class="skip" href="#screen" data-text="skip">To the screen of the phone</a>
            <div class="phone">
            <header><h1 id="name">Phone</h1><p id="server"></p>
            <label><span data-text="language">Language</span>
            <select id="language"></select></label></header>
            <nav id="tabs"></nav>
            <div id="live" role="status" aria-live="polite"></div>
            <main id="screen" tabindex="-1"><p>This page needs its script.</p></main>
            </div>
            </body>
            </html>

            """
    }

    /// Document that a page beside opens with a link in the fragment, which no request contains.
    ///
    /// Its script keeps the link for this tab and goes to the phone, where the person decides; without the cookie the
    /// script is refused and the text remains.
    static let handOver = """
        <!doctype html>
        <html lang="en" data-hand-over>
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Signet phone</title>
        \(parts)
        </head>
        <body>
        <main id="screen"><p>First open, in this browser, the address that <code>signet phone</code> has
        printed.</p></main>
        </body>
        </html>

        """
}
