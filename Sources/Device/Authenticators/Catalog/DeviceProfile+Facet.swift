package import UAF

extension DeviceProfile {
    /// How an application is named to servers (FIDO AppID and Facets 1.1, 3.1); nil for a name that makes no facet.
    ///
    /// The name is the bundle identifier on iOS, the Base64 of the signing certificate's hash on Android, and the
    /// reverse domain name compiled into a Linux application. It is never taken from what a server sends.
    package func facetID(ofApplication name: String) -> FacetID? {
        FacetID(facetPrefix + name)
    }

    private var facetPrefix: String {
        switch self {
        case .iOS: "ios:bundle-id:"
        case .android: "android:apk-key-hash:"
        case .linuxTPM, .linuxSoftware: "linux:app-id:"
        }
    }
}
