import Authenticators
import BackendAPI
import Foundation
import UAFClient

extension LocalCredential {
    /// A stored credential; nil for a record whose server address this SDK has not written.
    init?(_ credential: Credential) {
        guard let url = URL(string: credential.owner.server) else { return nil }
        self.init(
            id: credential.id, username: credential.owner.user, server: ServerAddress(url), appID: credential.appID,
            state: State(credential.state), statesServer: credential.statesServer)
    }
}

extension LocalCredential.State {
    fileprivate init(_ state: CredentialState) {
        self =
            switch state {
            case .pending: .pending
            case .active: .registered
            case .unusable: .unusable
            }
    }
}

extension DeviceSnapshot.Support {
    /// Support for a model of the catalog; `lax` is the same model where weaker sensors count as well.
    init(_ model: LocalAuthenticator, underLaxRules lax: LocalAuthenticator?) {
        self.init(
            isSupportedByHardware: model.support.isSupportedByHardware,
            isSupportedByOs: model.support.isSupportedByOs, isEnrolled: model.support.isEnrolled,
            isUsable: model.availability != .notOffered,
            isUsableWithClass2Sensor: lax.map { $0.availability != .notOffered } ?? false)
    }
}

extension DeviceInformation {
    init?(stored octets: [UInt8]) {
        guard let read = try? JSONDecoder().decode(DeviceInformation.self, from: Data(octets)) else { return nil }
        self = read
    }

    /// The bytes of the record; nil when they are too many.
    var storedForm: [UInt8]? {
        guard let octets = try? JSONEncoder().encode(self),
            octets.count <= StoredCredentials.deviceInformationByteLimit
        else { return nil }
        return Array(octets)
    }

    /// Whether the texts are short enough for the record, even when every byte needs an escape.
    package var isStorable: Bool {
        let byteCount = name.utf8.count + (fcmRegistrationToken?.utf8.count ?? 0)
        let isAcceptable =
            DeviceName(name) != nil && fcmRegistrationToken.map { PushDestination($0) != nil } ?? true
        return isAcceptable && byteCount <= 2048 && byteCount * 6 < StoredCredentials.deviceInformationByteLimit
    }
}
