import ServerCore
import Testing

@Suite("2.6.2: The form of links")
struct LinkAddressTests {
    @Test("The payload is the one parameter of the query, or joins those that are there")
    func query() throws {
        let envelope = #"{"a":1}"#
        let parameter = "dispatchTokenResponse=eyJhIjoxfQ"
        for (address, link) in [
            ("https://link.example", "https://link.example?\(parameter)"),
            ("https://link.example/open", "https://link.example/open?\(parameter)"),
            ("https://link.example/open?x=1", "https://link.example/open?x=1&\(parameter)"),
            ("https://link.example/open?", "https://link.example/open?\(parameter)"),
            ("https://link.example/open?x=1&", "https://link.example/open?x=1&\(parameter)"),
            ("com.example.app:open", "com.example.app:open?\(parameter)"),
            ("signet://open", "signet://open?\(parameter)"),
        ] {
            #expect(try #require(LinkAddress(address)).link(carrying: envelope) == link)
        }
    }

    @Test("The envelope of the reference gives the text of the reference (2.6.3)")
    func reference() throws {
        let envelope =
            #"{"nma_data":{"token":"b4b07559-f934-4597-a1c5-44d89f691e8f","redeem_url":"https://fido.siven.ch/nevisfido/token/redeem/registration"},"nma_data_content_type":"application/json","nma_data_version":"1"}"#
        let link = try #require(LinkAddress("https://link")).link(carrying: envelope)
        #expect(
            link.hasPrefix(
                "https://link?dispatchTokenResponse=eyJubWFfZGF0YSI6eyJ0b2tlbiI6ImI0YjA3NTU5LWY5MzQt"))
        #expect(link.hasSuffix("Im5tYV9kYXRhX3ZlcnNpb24iOiIxIn0"))
    }

    @Test(
        "An address that a browser would open itself, or read in another way, is refused",
        arguments: [
            "", "link.example", "//link.example", "http://link.example", "javascript:alert(1)", "data:text/html,x",
            "file:///tmp", "intent://x#Intent;end", "https:", "https://", "https:///x", "https://u@link.example",
            "https://u:p@link.example/x", "https://link.example/#x", "https://link.example/ x", "HTTPS://link.example",
            "Https://link.example", "https://link.example/\u{E9}", "https://link.example\\@evil.example", "1a:x", ":x",
            "https://link.example/" + String(repeating: "x", count: 500),
        ])
    func refused(_ text: String) {
        #expect(LinkAddress(text) == nil)
        #expect(LinkAddress(text, allowsLoopback: true) == nil)
    }

    @Test("A phone page of this machine is taken where that is allowed, and nowhere else")
    func loopback() throws {
        for text in ["http://127.0.0.1:8181/open", "http://127.93.0.254:8181/open"] {
            let address = try #require(LinkAddress(text, allowsLoopback: true))
            #expect(address.link(carrying: "{}") == text + "?dispatchTokenResponse=e30")
            #expect(LinkAddress(text) == nil)
        }
    }

    @Test(
        "What only looks like this machine is refused also where a phone page is allowed",
        arguments: [
            "http://127.0.0.1/open", "http://127.0.0.1:/open", "http://127.0.0.1:8181",
            "http://127.0.0.1:8181@evil.example/",
            "http://127.0.0.1:8181.evil.example/", "http://127.0.0.1.evil.example:80/",
            "http://localhost.evil.example:80/",
            "http://evil.example:8181/127.0.0.1", "http://u@127.0.0.1:8181/", "http://127.0.0.1:8181/#x",
            "HTTP://127.0.0.1:8181/", "http:127.0.0.1:8181/", "http://127.0.0.1:81\\@evil.example/",
            "http://127.1:8181/", "http://127.01.2.3:8181/", "http://128.0.0.1:8181/", "http://10.0.0.1:8181/",
            "http://0x7f.0.0.1:8181/", "http://127.0.0.1:80:81/",
        ])
    func foreign(_ text: String) {
        #expect(LinkAddress(text, allowsLoopback: true) == nil)
    }
}
