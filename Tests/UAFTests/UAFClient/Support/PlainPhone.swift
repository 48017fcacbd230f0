import BackendAPI
import Octets
import Testing
import UAF
import UAFClient

/// A phone with accounts at servers, as machines see it.
struct PlainPhone {
    let server: ServerAddress
    let other: ServerAddress
    let facet: TrustedFacet
    let username: UserName
    let aaid: AAID

    init() throws {
        server = try #require(ServerAddress("https://server.example/nevisfido"))
        other = try #require(ServerAddress("https://other.example"))
        facet = TrustedFacet(
            appID: try #require(AppID("https://server.example/nevisfido/uaf/1.1/facets")),
            facetID: try #require(FacetID("ios:bundle-id:com.example.app")))
        username = try #require(UserName("jeff"))
        aaid = try #require(AAID("F1D0#1001"))
    }

    /// A key with the identifier of 32 octets `number`, of the user at the first server unless others are named.
    func credential(
        _ number: UInt8 = 1, _ state: LocalCredential.State = .registered, username: UserName? = nil,
        server: ServerAddress? = nil, appID: AppID? = nil
    ) throws -> LocalCredential {
        let keyID = try #require(KeyID([UInt8](repeating: number, count: 32)))
        return LocalCredential(
            id: CredentialID(aaid: aaid, keyID: keyID), username: username ?? self.username,
            server: server ?? self.server, appID: appID ?? facet.appID, state: state)
    }

    /// Keys of the device for a server; the points are none.
    func deviceKeys(for server: ServerAddress, thumbprint: String? = nil) -> DeviceServerKeys {
        DeviceServerKeys(server: server, signing: [4], agreement: [4], agreementThumbprint: thumbprint)
    }

    /// The device with keys, and with the records that servers hold of it: identifier and user.
    func device(
        _ credentials: [LocalCredential] = [], records: [(String, String)] = [], keys: [DeviceServerKeys] = []
    ) -> DeviceSnapshot {
        DeviceSnapshot(
            models: [], credentials: credentials,
            record: DeviceRecord(
                name: "phone", pushToken: Sensitive("t"), deviceID: "d",
                links: records.map { DeviceRecord.Link(identifier: $0.0, username: $0.1) }),
            deviceKeys: keys)
    }

    /// A request for a registration.
    func registrationRequest() throws -> RegistrationRequest {
        RegistrationRequest(
            header: OperationHeader(operation: .registration, appID: facet.appID),
            challenge: try #require(ServerChallenge([UInt8](repeating: 7, count: 32))), username: username,
            policy: Policy(accepted: [[MatchCriteria(aaids: [aaid])]]))
    }

    /// A request for a deregistration.
    func deregistrationRequest(_ authenticator: DeregisterAuthenticator) -> DeregistrationRequest {
        DeregistrationRequest(
            header: OperationHeader(operation: .deregistration, appID: facet.appID), authenticators: [authenticator])
    }

    /// What a server tells of this device.
    func report(_ accounts: [DeviceCredentials.Account]) throws -> DeviceCredentials {
        DeviceCredentials(requestID: "r", deviceID: try #require(DeviceID("d")), accounts: accounts)
    }

    /// An account that a server lists, with one key and, unless `id` is nil, a record.
    func account(
        _ key: LocalCredential, _ id: String?, name: String = "phone", token: String? = "t"
    ) throws -> DeviceCredentials.Account {
        let target = try id.map {
            DeviceCredentials.Target(
                id: $0, name: try #require(DeviceName(name)), dispatcher: nil,
                destination: token.flatMap { PushDestination($0) })
        }
        return DeviceCredentials.Account(
            username: key.username, target: target,
            credentials: [DeviceCredentials.Credential(key.id, state: .locked)])
    }
}
