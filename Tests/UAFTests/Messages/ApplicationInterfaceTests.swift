import StrictJSON
import Testing
import UAF

@Suite("Application API and Transport Binding 1.1, 2.4: dictionaries")
struct ApplicationInterfaceTests {
    private func authenticator(display: ContentType?) throws -> DiscoveredAuthenticator {
        var characteristics = AuthenticatorCharacteristics(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], userVerification: .passcode,
            keyProtection: .software, matcherProtection: .software)
        characteristics.transactionConfirmationDisplay = .any
        var authenticator = DiscoveredAuthenticator(
            aaid: try AAID("F1D0#1001").unwrapped(),
            appearance: .init(title: "PIN", description: "A PIN", icon: "data:image/png;base64,AAAA"),
            characteristics: characteristics)
        authenticator.displayContentType = display
        authenticator.supportedExtensions = [.userVerificationMethod]
        return authenticator
    }

    @Test("Discovery data is written and read back to an equal value")
    func discovery() throws {
        let data = DiscoveryData(
            clientVendor: "Signet", clientVersion: ProtocolVersion(major: 1, minor: 0),
            availableAuthenticators: [try authenticator(display: .plainText)])
        #expect(try DiscoveryData(json: data.json, rules: .strict) == data)
    }

    @Test("A display without a content type is refused")
    func display() throws {
        let json = try authenticator(display: nil).json
        #expect(throws: JSONTypeError.self) { try DiscoveredAuthenticator(json: json, rules: .strict) }
    }

    @Test("A UAF message carries the protocol message as text")
    func message() throws {
        let text = #"{"uafProtocolMessage":"[{}]","additionalData":{"a":1}}"#
        let message = try UAFMessage(json: JSONParser.parse(text), rules: .strict)
        #expect(message.protocolMessage == "[{}]")
        #expect(JSONWriter.text(message.json) == text)
        for spoiled in ["{}", #"{"uafProtocolMessage":""}"#, #"{"uafProtocolMessage":[]}"#] {
            #expect(throws: JSONTypeError.self) { try UAFMessage(json: JSONParser.parse(spoiled), rules: .strict) }
        }
    }
}
