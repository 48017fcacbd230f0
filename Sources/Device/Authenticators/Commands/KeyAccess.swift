import Crypto
package import UAF

/// Access scope of a key: the application it was made for, and the caller on this device.
package struct KeyAccess: Hashable, Sendable {
    package let appID: AppID
    /// The caller, as the platform knows it.
    package let facetID: FacetID

    package init(appID: AppID, facetID: FacetID) {
        self.appID = appID
        self.facetID = facetID
    }

    /// The KHAccessToken: SHA-256 over AppID, installation token, no persona, caller.
    ///
    /// FIDO UAF ASM API 1.1, 4.1. There are no separators between the parts; the installation token is a secret of 32
    /// bytes, so no other code can shift the borders.
    func token(for installation: InstallationToken) -> KeyAccessToken {
        var hash = SHA256()
        hash.update(data: Array(appID.text.utf8))
        hash.update(data: installation.octets)
        hash.update(data: Array(facetID.text.utf8))
        return KeyAccessToken(Array(hash.finalize()))
    }
}
