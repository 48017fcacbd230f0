extension RegisteringOperation {
    /// Puts every question of the operation into a stream, as if it were given to each builder method that takes it.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self {
        authenticatorSelector(stream).pinEnroller(stream).passwordEnroller(stream).biometricUserVerifier(stream)
            .devicePasscodeUserVerifier(stream).fingerprintUserVerifier(stream)
    }
}

extension AuthenticatingOperation {
    /// Puts every question of the operation into a stream, as if it were given to each builder method that takes it.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self {
        authenticatorSelector(stream).pinUserVerifier(stream).passwordUserVerifier(stream)
            .biometricUserVerifier(stream).devicePasscodeUserVerifier(stream).fingerprintUserVerifier(stream)
    }
}

extension PinChange {
    /// Puts the questions of the operation into a stream.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self { pinChanger(stream) }
}

extension PasswordChange {
    /// Puts the questions of the operation into a stream.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self { passwordChanger(stream) }
}

extension OutOfBandAuthentication {
    /// Puts every question of the operation into a stream, as if it were given to each builder method that takes it.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self {
        accountSelector(stream).channelLinker(stream).authenticatorSelector(stream).pinUserVerifier(stream)
            .passwordUserVerifier(stream).biometricUserVerifier(stream).devicePasscodeUserVerifier(stream)
            .fingerprintUserVerifier(stream)
    }
}

extension OutOfBandOperation {
    /// Puts the question whether the server may remove registrations into a stream.
    @discardableResult
    public func interactions(_ stream: InteractionStream) -> Self { deregistrationConfirmer(stream) }
}
