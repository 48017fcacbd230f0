package import MobileAuthentication
package import MobileAuthenticationTestKit

/// User of a virtual device: answers its questions, chooses, makes up secrets, enters them and shows fingers.
@MainActor
package protocol DeviceUser: AuthenticatorSelector, AccountSelector, PinEnroller, PinUserVerifier, PinChanger,
    PasswordEnroller, PasswordUserVerifier, PasswordChanger, BiometricUserVerifier, DevicePasscodeUserVerifier,
    FingerprintUserVerifier, ChannelLinker, Sendable
{}

extension ScriptedUser: DeviceUser {}
