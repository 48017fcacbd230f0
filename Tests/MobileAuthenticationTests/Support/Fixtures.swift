import Authenticators
import Foundation
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// Values that the machine tests share.
struct Fixtures {
    let server = ServerAddress(URL(filePath: "/").replacing("https://server.example/nevisfido"))
    let facet: TrustedFacet
    let username: UserName
    let aaid: AAID
    let header: OperationHeader
    private let models: [DeviceSnapshot.Model]
    let challenge: ServerChallenge

    init() throws {
        let appID = try Self.unwrap(AppID("https://server.example/nevisfido/uaf/1.1/facets"))
        let facetID = try Self.unwrap(FacetID("ios:bundle-id:com.example.app"))
        facet = TrustedFacet(appID: appID, facetID: facetID)
        username = try Self.unwrap(UserName("jeff"))
        aaid = try Self.unwrap(AAID("F1D0#1001"))
        models = AuthenticatorCatalog(profile: .iOS).models.map {
            DeviceSnapshot.Model(aaid: $0.aaid, characteristics: $0.characteristics, support: .complete)
        }
        header = OperationHeader(operation: .registration, appID: appID)
        challenge = try Self.unwrap(ServerChallenge([UInt8](repeating: 7, count: 32)))
    }

    /// The value, or an error for a fixture that is none.
    static func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw MissingFixture() }
        return value
    }

    func credential(
        _ number: UInt8 = 1, _ state: LocalCredential.State = .registered, aaid: AAID? = nil, username: UserName? = nil
    ) throws -> LocalCredential {
        let keyID = try Self.unwrap(KeyID([UInt8](repeating: number, count: 32)))
        return LocalCredential(
            id: CredentialID(aaid: aaid ?? self.aaid, keyID: keyID), username: username ?? self.username,
            server: server,
            appID: facet.appID, state: state)
    }

    func device(
        _ credentials: [LocalCredential] = [], information: DeviceInformation? = nil,
        keys: [DeviceServerKeys] = []
    ) -> DeviceSnapshot {
        DeviceSnapshot(
            models: models, credentials: credentials,
            deviceInformation: credentials.isEmpty ? nil : information ?? DeviceInformation(name: "phone"),
            deviceKeys: keys)
    }

    func registrationRequest(accepting aaids: [AAID]? = nil) -> RegistrationRequest {
        RegistrationRequest(
            header: header, challenge: challenge, username: username,
            policy: Policy(accepted: [[MatchCriteria(aaids: aaids ?? [aaid])]]))
    }

    func registrationRequest(acceptingEachOf aaids: [AAID]) -> RegistrationRequest {
        RegistrationRequest(
            header: header, challenge: challenge, username: username,
            policy: Policy(accepted: aaids.map { [MatchCriteria(aaids: [$0])] }))
    }

    func authenticationRequest(
        naming credentials: [LocalCredential], transactions: [Transaction] = []
    ) -> AuthenticationRequest {
        let accepted = credentials.map { [MatchCriteria(aaids: [$0.id.aaid], keyIDs: [$0.id.keyID])] }
        return AuthenticationRequest(
            header: OperationHeader(operation: .authentication, appID: facet.appID), challenge: challenge,
            transactions: transactions, policy: Policy(accepted: accepted))
    }
}

/// A fixture could not be made.
struct MissingFixture: Error {}

extension URL {
    fileprivate func replacing(_ text: String) -> URL { URL(string: text) ?? self }
}
