public import MobileAuthentication

extension TestPhone {
    /// Which family of authenticator models a phone presents.
    public enum Profile: Hashable, Sendable, CaseIterable {
        case iOS
        case android
        case linux
    }

    /// What a phone is.
    public struct Traits: Sendable {
        /// Which family of authenticator models it presents.
        public var profile: Profile
        /// The bundle identifier (iOS), the Base64 of the signing certificate's hash (Android) or the reverse domain name
        /// (Linux) of the application.
        public var application: String
        /// Makes RSA keys where the profile has them (Android), as older applications do.
        public var prefersRSA = false
        /// Takes the messages of the SDK.
        public var logger: (any SDKLogger)?

        /// Describes a phone.
        public init(profile: Profile = .iOS, application: String = "com.example.app") {
            self.profile = profile
            self.application = application
        }
    }
}
