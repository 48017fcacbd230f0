/// Verification capabilities of the operating system and its sensors; querying them never prompts the user.
public protocol AuthenticatorPlatform: Sendable {
    /// Present support for a verification method; it may ask a service and wait for the answer.
    func support(for verification: PlatformVerification) async -> PlatformSupport

    /// The same as far as it can be told at once, on any thread; nil where finding out takes time.
    func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport?
}

extension AuthenticatorPlatform {
    /// Nil: finding out takes time, unless a platform says otherwise.
    public func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport? { nil }
}
