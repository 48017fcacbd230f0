import Octets
import StrictJSON
import Testing
import UAF

@Suite("UAF Protocol 1.1, 3.1.9 and 3.1.10: final challenge and channel binding")
struct FinalChallengeTests {
    private static let good = [
        "appID": #""https://example.com""#, "challenge": #""\#(MessageSample.challenge)""#,
        "facetID": #""ios:bundle-id:com.example""#, "channelBinding": "{}",
    ]

    private func parameters(_ json: String) throws -> FinalChallengeParameters {
        try FinalChallengeParameters(encoded: Base64URL.encode(Array(json.utf8)))
    }

    @Test("The parameters are written in the fixed order without spaces")
    func writing() throws {
        let parameters = FinalChallengeParameters(
            appID: try AppID("https://example.com/f").unwrapped(),
            challenge: try ServerChallenge(base64URL: MessageSample.challenge).unwrapped(),
            facetID: try FacetID("ios:bundle-id:com.example").unwrapped())
        let text = String(decoding: try Base64URL.decode(parameters.encoded), as: UTF8.self)
        let challenge = MessageSample.challenge
        #expect(
            text
                == #"{"appID":"https://example.com/f","challenge":"\#(challenge)","channelBinding":{},"facetID":"ios:bundle-id:com.example"}"#
        )
        #expect(try FinalChallengeParameters(encoded: parameters.encoded) == parameters)
    }

    @Test("A server binding is written last and read; one that is no binding is refused, and without one there is none")
    func serverBinding() throws {
        let exchange = try ServerBinding.ExchangeID([UInt8](repeating: 7, count: 16)).unwrapped()
        let binding = try ServerBinding(server: "https://Login.Example.com:443/path", exchange: exchange).unwrapped()
        let written = FinalChallengeParameters(
            appID: try AppID("https://example.com/f").unwrapped(),
            challenge: try ServerChallenge(base64URL: MessageSample.challenge).unwrapped(),
            facetID: try FacetID("ios:bundle-id:com.example").unwrapped(), serverBinding: binding)
        let text = String(decoding: try Base64URL.decode(written.encoded), as: UTF8.self)
        let end = #","serverBinding":{"origin":"https://login.example.com","exchange":"\#(exchange.base64URL)"}}"#
        #expect(text.hasSuffix(end))
        #expect(try FinalChallengeParameters(encoded: written.encoded).serverBinding == binding)
        #expect(try parameters(MessageSample.text(Self.good)).serverBinding == nil)
        for spoiled in ["1", "{}", #"{"origin":""}"#, #"{"origin":"https://a","exchange":"AAAA"}"#] {
            let members = Self.good.merging(["serverBinding": spoiled]) { one, _ in one }
            #expect(throws: MessageError.self, "\(spoiled)") { try parameters(MessageSample.text(members)) }
        }
        #expect(ServerBinding(server: "http://login.example.com", exchange: nil) == nil)
        #expect(ServerBinding.origin(of: "https://[::1]:8443/x") == "https://[::1]:8443")
    }

    @Test("The text is kept as received, whatever its spelling")
    func receivedText() throws {
        let spaced = MessageSample.text(Self.good).split(separator: ":").joined(separator: ": ")
        let read = try parameters(spaced)
        #expect(read.encoded == Base64URL.encode(Array(spaced.utf8)))
        #expect(read.hash == FinalChallengeParameters.hash(ofEncoded: read.encoded))
    }

    @Test("Every member must be there, not null, not empty, of its type")
    func members() {
        #expect(throws: Never.self) { try parameters(MessageSample.text(Self.good)) }
        for name in Self.good.keys {
            for value in [nil, "null", #""""#, "1", "[]"] {
                let text = MessageSample.replacing(name, by: value, in: Self.good)
                #expect(throws: MessageError.self, "\(name)") { try parameters(text) }
            }
        }
    }

    @Test("What is no base64url or no JSON object is refused", arguments: ["", "***", "eyJ9", "W10", "e30="])
    func encoding(text: String) {
        #expect(throws: MessageError.self) { try FinalChallengeParameters(encoded: text) }
    }

    @Test("All four channel bindings are read")
    func channelBindings() throws {
        let text =
            #"{"serverEndPoint":"AAAA","tlsServerCertificate":"AAAA","tlsUnique":"AAAA","cid_pubkey":"unused"}"#
        let binding = try ChannelBinding(json: JSONParser.parse(text), rules: .strict)
        #expect(binding.channelIDPublicKey == "unused" && binding.tlsUnique == "AAAA" && !binding.isEmpty)
        #expect(JSONWriter.text(binding.json) == text)
        for spoiled in [#"{"serverEndPoint":1}"#, #"{"tlsUnique":null}"#, #"{"cid_pubkey":"us$d"}"#] {
            #expect(throws: JSONTypeError.self) { try ChannelBinding(json: JSONParser.parse(spoiled), rules: .strict) }
        }
    }

    @Test("A channel ID key has two coordinates of 32 bytes on P-256")
    func channelIDKey() throws {
        let key = try ChannelIDKey(
            x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 2, count: 32)
        ).unwrapped()
        var binding = ChannelBinding()
        #expect(try binding.channelIDKey() == nil)
        binding.channelIDPublicKey = "unused"
        #expect(try binding.channelIDKey() == nil)
        binding.channelIDPublicKey = Base64URL.encode(JSONWriter.write(key.json))
        #expect(try binding.channelIDKey() == key)
        for text in ["{}", #"{"kty":"RSA","crv":"P-256","x":"AAAA","y":"AAAA"}"#, "x"] {
            binding.channelIDPublicKey = Base64URL.encode(Array(text.utf8))
            #expect(throws: MessageError.self) { try binding.channelIDKey() }
        }
        #expect(ChannelIDKey(x: [1], y: [2]) == nil)
    }
}
