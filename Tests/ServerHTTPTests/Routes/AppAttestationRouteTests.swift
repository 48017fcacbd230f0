import BackendAPI
import Crypto
import HTTPTypes
import HummingbirdTesting
import ServerCore
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite("Routes: statements about the application that responds")
struct AppAttestationRouteTests {
    private static let path = "/nevisfido/uaf/1.1/registration"
    private let authority: AttestationAuthority

    init() throws {
        authority = try AttestationAuthority()
    }

    /// A server that demands statements of an application on one of Apple's platforms.
    private func open() async throws -> ServerFixture {
        let roots = authority.rootText
        return try await ServerFixture.open { settings in
            settings.uaf.appAttestation.rule = .required
            settings.uaf.appAttestation.apple = .init(applications: [SyntheticAppAttest.application], roots: roots)
        }
    }

    /// A UAF response to a registration request for anna.
    private func response(_ server: ServerFixture, _ client: ServiceClient) async throws -> [UInt8] {
        let answer = try await client.post(
            "/nevisfido/uaf/1.1/request/registration", #"{"op":"Reg","context":"{\"username\":\"anna\"}"}"#,
            headers: [.cookie: try await client.logIn()])
        let text = try answer.text("uafRequest")
        guard case .registration(let request) = try OperationRequest(message: Array(text.utf8)),
            let facet = FacetID(ServerFixture.facet)
        else { throw ServerFixture.FixtureFault() }
        return try SyntheticClient(facet: facet).answer(request, with: [server.authenticator])
    }

    private func body(_ response: [UInt8], context: String) -> [UInt8] {
        JSONWriter.write(
            .object(["uafResponse": .string(String(decoding: response, as: UTF8.self)), "context": .string(context)]))
    }

    @Test("A hostile statement is 1400 or 413 and uses up nothing; the sound one for the same response is taken")
    func hostile() async throws {
        let server = try await open()
        let made = SyntheticAppAttest()
        try await server.test { client in
            let message = try await response(server, client)
            let large = String(repeating: "A", count: 24 * 1024)
            for statement in [
                "null", "{}", "[]", #"{"kind":"app-attest"}"#, #"{"kind":"app-attest","keyId":"AQ","assertion":"AQ"}"#,
                #"{"kind":"android-key","certificates":[]}"#, #"{"kind":"android-key","certificates":["\#(large)"]}"#,
                #"{"kind":"app-attest","kind":"android-key"}"#, String(repeating: "[", count: 40),
            ] {
                let hostile = body(message, context: #"{"appAttestation":\#(statement)}"#)
                #expect(try await client.post(Self.path, hostile).uafStatus == 1400)
            }
            let huge = body(message, context: #"{"appAttestation":"\#(large)\#(large)\#(large)"}"#)
            #expect(try await client.post(Self.path, huge).status == .contentTooLarge)
            let digest = Array(SHA256.hash(data: message))
            let attestation = try made.attestation(clientDataHash: digest, by: authority)
            let sound = ResponseContext().stating(.newAppleKey(id: made.keyID, attestation: attestation))
            #expect(try await client.post(Self.path, body(message, context: sound.text)).uafStatus == 1200)
        }
    }

    @Test("A missing statement, and one of a foreign authority, are told as 1496 over HTTP")
    func refused() async throws {
        let server = try await open()
        let made = SyntheticAppAttest()
        let stranger = try AttestationAuthority()
        try await server.test { client in
            let silent = try await response(server, client)
            #expect(try await client.post(Self.path, body(silent, context: "{}")).uafStatus == 1496)
            let message = try await response(server, client)
            let attestation = try made.attestation(
                clientDataHash: Array(SHA256.hash(data: message)), by: stranger)
            let context = ResponseContext().stating(.newAppleKey(id: made.keyID, attestation: attestation))
            #expect(try await client.post(Self.path, body(message, context: context.text)).uafStatus == 1496)
        }
        #expect(try await server.auditKinds().filter { $0 == "APP_ATTESTATION_FAILED" }.count == 2)
    }
}
