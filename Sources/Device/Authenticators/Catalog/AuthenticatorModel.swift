package import HardwareKeys
package import UAF

/// An authenticator of this device as policies and assertions see it.
package struct AuthenticatorModel: Hashable, Sendable {
    /// The version that stands in every assertion.
    package static let version: UInt16 = 1

    /// How it verifies its user.
    package let kind: AuthenticatorKind
    /// Its model number.
    package let aaid: AAID
    /// What a policy judges it by.
    package let characteristics: AuthenticatorCharacteristics
    /// What the device has for it.
    package let support: PlatformSupport
    /// Whether it can be used.
    package let availability: AuthenticatorAvailability
}
