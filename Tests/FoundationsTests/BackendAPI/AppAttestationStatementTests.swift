import BackendAPI
import Octets
import Testing

@Suite("Statements about the application that responds")
struct AppAttestationStatementTests {
    private static let id = [UInt8](repeating: 7, count: AppAttestationStatement.keyIDByteCount)
    private static let idText = Base64URL.encode(id)
    private static let smallest: [AppAttestationStatement] = [
        .newAppleKey(id: id, attestation: [1]), .appleKey(id: id, assertion: [2]), .androidKey(certificates: [[3]]),
    ]
    private static let largest: [AppAttestationStatement] = [
        .newAppleKey(id: id, attestation: octets(AppAttestationStatement.attestationByteLimit)),
        .appleKey(id: id, assertion: octets(AppAttestationStatement.assertionByteLimit)),
        .androidKey(
            certificates: Array(
                repeating: octets(AppAttestationStatement.certificateByteLimit),
                count: AppAttestationStatement.certificateLimit)),
    ]
    private static let tooLarge: [AppAttestationStatement] = [
        .newAppleKey(id: id, attestation: octets(AppAttestationStatement.attestationByteLimit + 1)),
        .appleKey(id: id, assertion: octets(AppAttestationStatement.assertionByteLimit + 1)),
        .androidKey(certificates: [octets(AppAttestationStatement.certificateByteLimit + 1)]),
        .androidKey(certificates: Array(repeating: [1], count: AppAttestationStatement.certificateLimit + 1)),
        .newAppleKey(id: id, attestation: []), .appleKey(id: id, assertion: []), .androidKey(certificates: [[]]),
        .androidKey(certificates: []), .appleKey(id: Array(id.dropLast()), assertion: [2]),
        .appleKey(id: id + [7], assertion: [2]),
    ]

    private static func octets(_ count: Int) -> [UInt8] { [UInt8](repeating: 0xFB, count: count) }

    private static func text(_ statement: AppAttestationStatement) -> String {
        ResponseContext().stating(statement).text
    }

    @Test("A statement is read as it was written, up to its largest size", arguments: smallest + largest)
    func accepts(statement: AppAttestationStatement) throws {
        #expect(try ResponseContext(text: Self.text(statement)).appAttestation == statement)
    }

    @Test("A context without a statement has none")
    func absent() throws {
        #expect(try ResponseContext(text: "{}").appAttestation == nil)
        #expect(ResponseContext().text == "{}")
    }

    @Test("A statement with a part that is empty, too large or of another size is refused", arguments: tooLarge)
    func sizes(statement: AppAttestationStatement) {
        let error = #expect(throws: BackendAPIError.self) { try ResponseContext(text: Self.text(statement)) }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }

    @Test(
        "A statement of another form is refused, with the path to the fault",
        arguments: [
            ("null", []), ("[]", []), ("{}", ["kind"]), (#"{"kind":1}"#, ["kind"]), (#"{"kind":"safety"}"#, ["kind"]),
            (#"{"kind":"app-attest","assertion":"AQ"}"#, ["keyId"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)"}"#, ["attestation"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)=","assertion":"AQ"}"#, ["keyId"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)","assertion":"A+"}"#, ["assertion"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)","assertion":"AR"}"#, ["assertion"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)","assertion":null}"#, ["assertion"]),
            (#"{"kind":"app-attest","keyId":"\#(idText)","assertion":"AQ","attestation":"AQ"}"#, ["attestation"]),
            (#"{"kind":"android-key"}"#, ["certificates"]),
            (#"{"kind":"android-key","certificates":"AQ"}"#, ["certificates"]),
            (#"{"kind":"android-key","certificates":["AQ","A Q"]}"#, ["certificates", "1"]),
        ] as [(String, [String])])
    func refuses(statement: String, path: [String]) {
        #expect(throws: BackendAPIError.unreadableContext(path: ["appAttestation"] + path)) {
            try ResponseContext(text: #"{"appAttestation":\#(statement)}"#)
        }
    }
}
