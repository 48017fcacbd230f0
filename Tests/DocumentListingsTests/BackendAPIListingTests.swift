import BackendAPI
import Crypto
import DocumentListings
import JOSE
import Testing
import UAF

@Suite("The listings about the HTTP interface do what they say")
struct BackendAPIListingTests {
    private let anna: UserName

    init() throws {
        anna = try #require(UserName("anna"))
    }

    @Test("A service takes and answers what it declares")
    func endpoints() throws {
        let type = "application/fido+uaf;charset=utf-8"
        let (path, answer) = try BackendAPIListings.endpoint(contentType: type, accept: nil)
        #expect(path == "/nevisfido/uaf/1.1/request/registration" && answer.hasPrefix("application/fido+uaf"))
        #expect(throws: BackendAPIError.unsupportedMediaType) {
            try BackendAPIListings.endpoint(contentType: "text/plain", accept: nil)
        }
    }

    @Test("Requests, answers and contexts are read as they were written")
    func messages() throws {
        let registration = GetUAFRequest(RegistrationContext(username: anna)).body
        #expect(try BackendAPIListings.body(registration) == registration)
        let given = ReturnUAFRequest(uafRequest: "[]", operation: .authentication).body
        let (sent, message) = try BackendAPIListings.request(anna, answer: given)
        #expect(message == "[]")
        #expect(try BackendAPIListings.login(sent) == anna)
        #expect(try BackendAPIListings.conformance(conformanceRequest()) == anna)
        let accepted = ServerResponse(statusCode: .ok, additionalTokens: [Token(type: .jwt, value: "a.b.c")]).body
        let (response, token) = try BackendAPIListings.response("[]", answer: accepted)
        #expect(token == "a.b.c")
        #expect(BackendAPIListings.refusal(response) == nil)
        #expect(BackendAPIListings.refusal(Array("[".utf8)) == .http(status: 400))
    }

    private func conformanceRequest() throws -> [UInt8] {
        Array(#"{"op":"Reg","context":"{\"username\":\"anna\"}"}"#.utf8)
    }

    @Test("A cookie goes back to the host that set it")
    func cookies() throws {
        #expect(try BackendAPIListings.cookies("session=1; Path=/; Secure", now: 1_800_000_000) == "session=1")
        #expect(try BackendAPIListings.cookies("session=1; Path=/other", now: 1_800_000_000) == nil)
    }

    @Test("A dispatch, its payload and its status are read as they were written")
    func outOfBand() async throws {
        let dispatch = try DispatchRequest(body: OutOfBandListings.dispatch(anna, "target-1"))
        #expect(dispatch.dispatchTargetID == "target-1" && dispatch.channelLinking == .typed)
        let content = OutOfBandContent(token: "secret", redeemURL: "https://bank.example/redeem")
        let scanned = OutOfBandEnvelope(.plain(content)).base64URL
        let redemption = try #require(try OutOfBandListings.payload(scanned))
        #expect(try RedeemRequest(body: redemption).token == "secret")
        #expect(try OutOfBandListings.payload(OutOfBandEnvelope(.encrypted("a.b.c.d.e")).base64URL) == nil)
        var states: [SessionStatus.Status] = [.succeeded, .clientAuthenticating]
        let end = try await OutOfBandListings.status("session-1") { _ in
            SessionStatus(states.popLast() ?? .unknown, sinceMilliseconds: 0).body
        }
        #expect(end == "succeeded" && states.isEmpty)
    }

    @Test("A device signs what it asks, and proves that it has the keys of its target")
    func devices() throws {
        let deviceID = try #require(DeviceID("7f3a9c51"))
        let payload = OutOfBandListings.device("target-1", deviceID, requestID: "request-1", now: 1_800_000_000_000)
        let claims = try DeviceRequest(body: payload).claims
        #expect(claims.audience == "https://bank.example/nevisfido/devices/credentials/7f3a9c51")
        #expect(claims.method == .get)
        let name = try #require(DeviceName("phone"))
        let creation = try OutOfBandListings.target(name, try key(), try key()) { statement throws in
            #expect(try DispatchTargetCreationProof(body: statement).statement.name == name)
            return "a.b.c"
        }
        #expect(try DispatchTargetCreation(body: creation).proof == "a.b.c")
    }

    private func key() throws -> JWK {
        try JWK(verifying: .init(p256Point: Array(P256.Signing.PrivateKey().publicKey.x963Representation)))
    }

    @Test("The state of the parts is the state of the whole")
    func health() throws {
        #expect(OutOfBandListings.health(isDatabaseUp: true).status == 200)
        #expect(try HealthBody(body: OutOfBandListings.health(isDatabaseUp: false).body).isUp == false)
    }
}
