import Foundation
import Octets
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.5.2: rules of transactions")
struct TransactionRuleTests {
    private static let png =
        #"{"width":1,"height":1,"bitDepth":8,"colorType":2,"compression":0,"filter":0,"interlace":0}"#

    private func isAccepted(_ transaction: String) -> Bool {
        var members = MessageSample.authentication
        members["transaction"] = transaction
        return MessageSample.clientError(MessageSample.text(members)) == nil
    }

    @Test("A text has at most 200 characters, however many bytes")
    func textLength() {
        for (text, expected) in [
            (String(repeating: "x", count: 200), true), (String(repeating: "x", count: 201), false),
            (String(repeating: "ü", count: 200), true), (String(repeating: "ü", count: 201), false),
        ] {
            let content = Base64URL.encode(Array(text.utf8))
            #expect(isAccepted(#"[{"contentType":"text/plain","content":"\#(content)"}]"#) == expected)
        }
    }

    @Test(
        "Malformed renderings are refused",
        arguments: [
            "{}", "[]", "null", "[1]", #"[{"content":"AAAA"}]"#, #"[{"contentType":"","content":"AAAA"}]"#,
            #"[{"contentType":1,"content":"AAAA"}]"#, #"[{"contentType":"text/plain"}]"#,
            #"[{"contentType":"text/plain","content":""}]"#, #"[{"contentType":"text/plain","content":null}]"#,
            #"[{"contentType":"text/plain","content":"a+b="}]"#, #"[{"contentType":"text/plain","content":"_w"}]"#,
            #"[{"contentType":"image/png","content":"AAAA"}]"#,
            #"[{"contentType":"image/png","content":"AAAA","tcDisplayPNGCharacteristics":[]}]"#,
            #"[{"contentType":"image/png","content":"AAAA","tcDisplayPNGCharacteristics":{}}]"#,
        ])
    func malformed(transaction: String) {
        #expect(!isAccepted(transaction))
    }

    @Test("A picture states each of its characteristics, in range")
    func characteristics() {
        let names = ["width", "height", "bitDepth", "colorType", "compression", "filter", "interlace"]
        #expect(isAccepted(picture(Self.png)))
        for name in names {
            #expect(
                !isAccepted(picture(Self.png.replacingOccurrences(of: "\"\(name)\"", with: "\"other\""))), "\(name)")
        }
        #expect(!isAccepted(picture(Self.png.replacingOccurrences(of: #""bitDepth":8"#, with: #""bitDepth":256"#))))
        #expect(!isAccepted(picture(Self.png.replacingOccurrences(of: #""width":1"#, with: #""width":"1""#))))
        for (palette, expected) in [(1, true), (256, true), (257, false), (0, false)] {
            let colors = Array(repeating: #"{"r":1,"g":2,"b":3}"#, count: palette).joined(separator: ",")
            let text = Self.png.dropLast() + #","plte":[\#(colors)]}"#
            #expect(isAccepted(picture(String(text))) == expected)
        }
    }

    private func picture(_ characteristics: String) -> String {
        #"[{"contentType":"image/png","content":"AAAA","tcDisplayPNGCharacteristics":[\#(characteristics)]}]"#
    }

    @Test("The hash is of the decoded content")
    func hash() {
        let transaction = Transaction(contentType: .plainText, content: Array("abc".utf8))
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(Hex.encode(transaction.contentHash) == expected)
    }
}
