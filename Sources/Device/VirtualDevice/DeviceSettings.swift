package import Authenticators
import MobileAuthentication
import UAF

/// What a virtual device is: fixed when it is made.
package struct DeviceSettings: Hashable, Sendable {
    /// Which authenticator models it presents to servers.
    package let profile: DeviceProfile
    /// The application it stands for.
    package let bundleID: String
    /// What holds its keys.
    package let keys: DeviceKeys

    /// Describes an iOS device with software keys.
    ///
    /// The keys are files: choosing this is choosing that whoever copies the folder has the keys.
    package static func iOSWithSoftwareKeys(bundleID: String) throws(VirtualDeviceError) -> DeviceSettings {
        try iOS(bundleID: bundleID, keys: .software)
    }

    /// Describes an iOS device with keys in a vault of the caller's choice.
    package static func iOS(bundleID: String, keys: DeviceKeys) throws(VirtualDeviceError) -> DeviceSettings {
        try DeviceSettings(profile: .iOS, bundleID: bundleID, keys: keys)
    }

    init(profile: DeviceProfile, bundleID: String, keys: DeviceKeys) throws(VirtualDeviceError) {
        let isWellFormed =
            (1...255).contains(bundleID.utf8.count) && bundleID.utf8.allSatisfy { Self.isBundleOctet($0) }
        guard isWellFormed else { throw .invalidBundleID }
        self.profile = profile
        self.bundleID = bundleID
        self.keys = keys
    }

    /// The facet of the application (FIDO AppID and Facets 1.1, 3.1).
    package var facetText: String { "ios:bundle-id:" + bundleID }

    func facetID() throws(VirtualDeviceError) -> FacetID {
        guard let facetID = FacetID(facetText) else { throw .invalidBundleID }
        return facetID
    }

    private static func isBundleOctet(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
