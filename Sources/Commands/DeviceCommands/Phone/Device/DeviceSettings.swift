package import Authenticators
import HardwareKeys
import MobileAuthentication
package import UAF

/// Description of a virtual device, fixed when it is made.
package struct DeviceSettings: Hashable, Sendable {
    package let family: DeviceFamily
    /// The name of the application it stands for, in the form of the family.
    package let application: String
    package let keys: DeviceKeys
    let facetID: FacetID

    /// Describes a device; without a name it stands for the application of the demonstration.
    ///
    /// Throws ``VirtualDeviceError/invalidBundleID``, ``VirtualDeviceError/invalidKeyHash`` for a name that is none in
    /// the family, and ``VirtualDeviceError/fixedApplication`` for any name on Linux.
    package init(
        _ family: DeviceFamily, application: String? = nil, keys: DeviceKeys
    ) throws(VirtualDeviceError) {
        self.family = family
        self.keys = keys
        self.application = try family.checked(application ?? family.demonstrationApplication)
        let profile = Self.profile(of: family, keys)
        guard let facetID = profile.facetID(ofApplication: self.application) else { throw .invalidBundleID }
        self.facetID = facetID
    }

    /// Authenticator models that it presents; a Linux device's say what holds its keys.
    package var profile: DeviceProfile { Self.profile(of: family, keys) }

    /// The facet of the application (FIDO AppID and Facets 1.1 section 3.1).
    package var facetText: String { facetID.text }

    /// Candidates of the device for a policy, in the order in which they are shown, without their keys and whether they
    /// are set up or not.
    package var candidates: [AuthenticatorCandidate] {
        let provider: KeyProvider = keys == .software ? .software : .trustedPlatformModule
        return AuthenticatorCatalog(profile: profile, keysIn: provider).models.map { model in
            AuthenticatorCandidate(aaid: model.aaid, characteristics: model.characteristics, keyIDs: [])
        }
    }

    private static func profile(of family: DeviceFamily, _ keys: DeviceKeys) -> DeviceProfile {
        switch (family, keys) {
        case (.ios, _): .iOS
        case (.android, _): .android
        case (.linux, .trustedPlatformModule): .linuxTPM
        case (.linux, .software): .linuxSoftware
        }
    }
}

extension DeviceFamily {
    fileprivate func checked(_ application: String) throws(VirtualDeviceError) -> String {
        switch self {
        case .ios:
            guard (1...255).contains(application.utf8.count), application.utf8.allSatisfy(\.isInBundleID) else {
                throw .invalidBundleID
            }
        case .android:
            // SHA-1 in Base64 without padding.
            guard application.utf8.count == 27, application.utf8.allSatisfy(\.isInBase64) else {
                throw .invalidKeyHash
            }
        case .linux:
            guard application.utf8.elementsEqual(Self.linuxApplication.utf8) else { throw .fixedApplication }
        }
        return application
    }
}

extension UInt8 {
    private var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    fileprivate var isInBundleID: Bool { isLetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: ".") }

    fileprivate var isInBase64: Bool { isLetterOrDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}

/// Family of devices that a virtual one belongs to: it decides models, algorithms and how applications are named.
package enum DeviceFamily: String, CaseIterable, Sendable {
    case ios
    case android
    case linux

    /// Name of the demonstration application in this family: a bundle identifier, the hash of a signing certificate, a
    /// reverse domain name.
    package var demonstrationApplication: String {
        switch self {
        case .ios: "org.signet.demo"
        case .android: "w56fMyf2AmdJPOIAqm1cKTqbo2Q"
        case .linux: Self.linuxApplication
        }
    }

    /// Compiled in: on Linux nothing but the program itself can say which application it is.
    static let linuxApplication = "org.signet.demo"
}
