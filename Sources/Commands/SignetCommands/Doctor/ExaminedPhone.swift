import Foundation
import MobileAuthentication
import UAF
import VirtualDevice

/// The phone that a server is examined for: one that was made with `signet device init`, or any of a family.
struct ExaminedPhone: Sendable {
    /// One of its authenticators.
    struct Authenticator: Sendable {
        /// As a policy looks at it.
        let candidate: AuthenticatorCandidate
        /// Whether a key can be made with it now.
        let isUsable: Bool

        /// `pin (F1D0#1001)`.
        var words: String { ExaminedPhone.words(for: candidate.aaid) }
    }

    /// The subject of a sentence about it.
    let name: String
    /// The application on it, as servers know it; nil for any.
    var facet: String?
    /// What it verifies its user by.
    let authenticators: [Authenticator]
    /// The keys that it holds for the server.
    var registrations: [DeviceRegistration] = []
    /// Whether it has an address for push messages.
    var receivesPushes = false

    /// Any phone of a family; what is set up on it is not known, and counts as there.
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

    /// A phone that is switched on, with what it holds for a server.
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
        receivesPushes = try phone.folder.subscription() != nil
    }

    /// `pin (F1D0#1001)`; the number alone for a model of somebody else.
    static func words(for aaid: AAID) -> String {
        guard let kind = AuthenticatorAaid(rawValue: aaid.text) else { return aaid.text }
        return "\(AuthenticatorChoice(kind).rawValue) (\(aaid.text))"
    }

    /// PIN and password are set up with each key; the rest is up to the system.
    private static func isUsable(_ authenticator: DeviceAuthenticator) -> Bool {
        switch authenticator.kind {
        case .Pin, .Password: true
        default: authenticator.isSupportedByHardware && authenticator.isSupportedByOs && authenticator.isEnrolled
        }
    }

    private static func origin(_ url: URL?) -> String? {
        url.flatMap { url in url.host().map { "\($0.lowercased()):\(url.port ?? 443)" } }
    }
}
