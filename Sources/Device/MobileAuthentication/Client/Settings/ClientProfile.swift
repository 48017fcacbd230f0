import Authenticators
import HardwareKeys
import UAF

/// Family of devices that a client claims to belong to: it decides the AAIDs of the authenticators and the name of the
/// application.
///
/// Choose one and keep it. Registrations belong to the AAIDs that they were made with; under another profile no
/// operation uses them.
///
/// ```swift
/// let client = try await MobileAuthenticationClientInitializer()
///     .configuration(configuration)
///     .keyVault(.platform)
///     .profile(.linux(applicationID: "org.example.bank"))
///     .perform()
/// ```
public struct ClientProfile: Hashable, Sendable {
    private enum Family: Hashable {
        case iOS
        case linux(applicationID: String)
    }

    private let family: Family

    private init(_ family: Family) { self.family = family }

    /// An iOS application: the AAIDs `F1D0#1001` to `F1D0#1005`, and the facet `ios:bundle-id:<bundle identifier>`.
    ///
    /// It is the default everywhere, because every server knows these AAIDs.
    public static let iOS = ClientProfile(.iOS)

    /// A Linux application: the AAIDs `FFFF#2001` to `FFFF#2005` for keys in a TPM, `FFFF#2101` to `FFFF#2105` for keys
    /// in software, and the facet `linux:app-id:<identifier>`.
    ///
    /// Its metadata state what really protects the keys; the server has to know them and to list the facet. The
    /// identifier is a reverse domain name such as `org.example.bank`; it is compiled into the application, because
    /// nothing on Linux but the program itself can say which application it is.
    public static func linux(applicationID: StaticString) -> ClientProfile {
        ClientProfile(.linux(applicationID: applicationID.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }))
    }

    func resolved(for provider: KeyProvider) throws(InitializationError) -> (models: DeviceProfile, facetID: FacetID) {
        switch family {
        case .iOS:
            guard let facetID = DeviceProfile.iOS.facetID(ofApplication: MetaData.bundleIdentifier) else {
                throw .Unknown(cause: InvalidParameterError("applicationFacetId"))
            }
            return (.iOS, facetID)
        case .linux(let applicationID):
            let models = provider.isSecureHardware ? DeviceProfile.linuxTPM : .linuxSoftware
            guard Self.isReverseDomainName(applicationID), let facetID = models.facetID(ofApplication: applicationID)
            else { throw .Unknown(cause: InvalidParameterError("applicationID")) }
            return (models, facetID)
        }
    }

    /// At least two labels of letters, digits, hyphens and underscores, with dots between them.
    private static func isReverseDomainName(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return labels.count > 1 && text.utf8.count <= 255
            && labels.allSatisfy { label in !label.isEmpty && label.allSatisfy(isInLabel) }
    }

    private static func isInLabel(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
