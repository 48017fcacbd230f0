import Authenticators
import Testing
import UAF
import UAFClient

@Suite("Machines carry values that they do not know")
struct CarriedValuesTests {
    private typealias Machine = RegistrationMachine<PlainValues>

    private let server = ServerAddress(
        text: "https://server.example/", scheme: "https", host: "server.example", port: nil, path: "/")

    private func parameters(storable: Bool = true) -> Machine.Parameters {
        var parameters = Machine.Parameters(server: server)
        parameters.username = "jeff"
        parameters.deviceInformation = PlainDescription(isStorable: storable)
        parameters.hasSelector = true
        parameters.enrollable = [.pin]
        return parameters
    }

    private func device() throws -> DeviceSnapshot {
        let aaid = try aaid()
        let model = try #require(AuthenticatorCatalog(profile: .iOS).models.first { $0.aaid == aaid })
        return DeviceSnapshot(
            models: [
                DeviceSnapshot.Model(aaid: model.aaid, characteristics: model.characteristics, support: .complete)
            ], credentials: [], record: nil)
    }

    private func aaid() throws -> AAID { try #require(AAID("F1D0#1001")) }

    private func request() throws -> RegistrationRequest {
        RegistrationRequest(
            header: OperationHeader(operation: .registration, appID: AppID("https://server.example/f")),
            challenge: try #require(ServerChallenge([UInt8](repeating: 7, count: 32))),
            username: try #require(UserName("jeff")),
            policy: Policy(accepted: [[MatchCriteria(aaids: [try aaid()])]]))
    }

    @Test("A secret goes from the user to the judge and to the key as it came, and what was issued is handed on")
    func secretPasses() throws {
        let facet = TrustedFacet(
            appID: try #require(AppID("https://server.example/f")),
            facetID: try #require(FacetID("ios:bundle-id:com.example.app")))
        let key = CredentialID(aaid: try aaid(), keyID: try #require(KeyID([UInt8](repeating: 1, count: 32))))
        var machine = Machine(parameters())
        _ = machine.start()
        _ = machine.resume(.device(try device()))
        _ = machine.resume(.request(.request(try request(), expiry: nil)))
        _ = machine.resume(.facet(.trusted(facet)))
        _ = machine.resume(.choice(.given("F1D0#1001")))
        guard case .perform(.judge(.pin, "482915", _)) = machine.resume(.secret(.given("482915"))),
            case .perform(.createKey(_, .secret("482915"), _)) = machine.resume(.judged(.accepted("482915")))
        else {
            Issue.record("the secret did not arrive")
            return
        }
        _ = machine.resume(.creation(.made(CreatedKey(credential: key, assertion: [1]))))
        _ = machine.resume(.verdict(.accepted(42)))
        guard case .perform(.introduce(_, 42?)) = machine.resume(.done) else {
            Issue.record("what was issued did not arrive")
            return
        }
    }

    @Test("A description that cannot be kept ends a registration before anything is asked")
    func unstorable() {
        var machine = Machine(parameters(storable: false))
        guard case .finish(.failure(.wrongUse(let cause))) = machine.start() else {
            Issue.record("it began")
            return
        }
        #expect(cause as? CeremonyFault == .invalidParameter("deviceInformation"))
    }

    @Test("Two spellings of one address are one server; another port, path or scheme is another")
    func addresses() {
        let same = ServerAddress(
            text: "HTTPS://Server.Example:443", scheme: "HTTPS", host: "Server.Example", port: 443, path: "")
        #expect(same == server)
        #expect(same.isSecure)
        for other in [
            ServerAddress(text: "", scheme: "https", host: "server.example", port: 8443, path: ""),
            ServerAddress(text: "", scheme: "https", host: "server.example", port: nil, path: "/x"),
            ServerAddress(text: "", scheme: "http", host: "server.example", port: nil, path: ""),
        ] {
            #expect(other != server)
        }
        #expect(!ServerAddress(text: "", scheme: "http", host: "server.example", port: nil, path: "").isSecure)
        #expect(!ServerAddress(text: "", scheme: "https", host: nil, port: nil, path: "").isSecure)
    }
}
