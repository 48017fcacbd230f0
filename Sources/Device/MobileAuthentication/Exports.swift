@_exported public import Foundation
@_exported public import HardwareKeys

#if canImport(FoundationNetworking)
    @_exported public import FoundationNetworking
#endif

// Re-exported, so that key vaults and user presence of the platform come with the one import of the SDK.
#if canImport(LocalAuthentication) && canImport(CryptoKit)
    @_exported public import HardwareKeysApple
#else
    @_exported public import HardwareKeysTPM
    @_exported public import UserVerificationLinux
#endif

extension Result where Success == Void {
    /// The success that carries nothing, so that `handler(.success)` can be written.
    public static var success: Self { .success(()) }
}
