import Foundation
import MobileAuthentication
import UAF

/// Phone for which a server is checked: one that was created with `signet device init`, or any one of a family.
struct ExaminedPhone: Sendable {
    struct Authenticator: Sendable {
        let candidate: AuthenticatorCandidate
        /// Whether a key can be created with it now.
        let isUsable: Bool

        /// Name and AAID, such as `pin (F1D0#1001)`.
        var words: String { ExaminedPhone.words(for: candidate.aaid) }
    }

    /// Subject of a sentence about the phone.
    let name: String
    /// Facet ID of the application on the phone; nil for any.
    var facet: String?
    let authenticators: [Authenticator]
    var registrations: [DeviceRegistration] = []
    /// Users for whom servers have given the phone a device record.
    var recordedUsers: [String] = []
    /// Device information check at the phone's servers, without the user; nil for a phone that is not there.
    var askServers: (@Sendable () async -> DeviceInformationCheckResult)?
    var receivesPushes = false

    /// Any phone of a family, with every authenticator counted as set up, because that is unknown.
    init(_ family: DeviceFamily) {
        name = "A phone of the family \(family.rawValue)"
        let kinds: [DeviceKeys] = [.trustedPlatformModule(connection: DeviceKeys.systemConnection), .software]
        var authenticators: [Authenticator] = []
        for settings in kinds.compactMap({ try? DeviceSettings(family, keys: $0) }) {
            for candidate in settings.candidates
            where !authenticators.contains(where: { $0.candidate.aaid == candidate.aaid }) {
                authenticators.append(Authenticator(candidate: candidate, isUsable: true))
            }
        }
        self.authenticators = authenticators
    }

    init(_ phone: Phone, at server: URL) throws {
        let settings = phone.device.settings
        let shown = phone.device.authenticators
        name = "This phone"
        facet = settings.facetText
        authenticators = settings.candidates.map { candidate in
            let seen = shown.first { $0.aaid == candidate.aaid.text }
            return Authenticator(candidate: candidate, isUsable: seen.map(Self.isUsable) ?? false)
        }
        registrations = shown.flatMap(\.registrations).filter {
            Self.origin(URL(string: $0.server)) == Self.origin(server)
        }
        let client = phone.client
        recordedUsers = client.localData.deviceInformation?.idUsernamePairs.map(\.username) ?? []
        askServers = { await client.operations.deviceInformationCheck.perform() }
        receivesPushes = try phone.folder.subscription() != nil
    }

    /// Name and AAID, such as `pin (F1D0#1001)`; the AAID alone for a model of another vendor.
    static func words(for aaid: AAID) -> String {
        guard let kind = AuthenticatorAaid(rawValue: aaid.text) else { return aaid.text }
        return "\(AuthenticatorChoice(kind).rawValue) (\(aaid.text))"
    }

    /// Whether a key can be created now: PIN and password are set up with each key, the rest depends on the operating
    /// system.
    private static func isUsable(_ authenticator: DeviceAuthenticator) -> Bool {
        switch authenticator.kind {
        case .Pin, .Password: true
        default: authenticator.isSupportedByHardware && authenticator.isSupportedByOs && authenticator.isEnrolled
        }
    }

    /// Host and port, by which servers are told apart.
    static func origin(_ url: URL?) -> String? {
        url.flatMap { url in url.host().map { "\($0.lowercased()):\(url.port ?? 443)" } }
    }
}
