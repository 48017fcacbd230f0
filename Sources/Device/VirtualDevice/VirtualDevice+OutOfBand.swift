package import MobileAuthentication

extension VirtualDevice {
    /// Runs a registration that a server has begun; `information` counts for the first one of the device.
    package func run(
        _ registration: any OutOfBandRegistration, _ information: DeviceInformation, user: any DeviceUser
    ) async throws(OperationError) {
        try await registration.deviceInformation(information)
            .authenticatorSelector(user).pinEnroller(user).passwordEnroller(user).biometricUserVerifier(user)
            .devicePasscodeUserVerifier(user).fingerprintUserVerifier(user).perform()
    }

    /// Runs an authentication that a server has begun, and returns what the server issued.
    package func run(
        _ authentication: any OutOfBandAuthentication, user: any DeviceUser
    ) async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        try await authentication.accountSelector(user).channelLinker(user)
            .authenticatorSelector(user).pinUserVerifier(user).passwordUserVerifier(user).biometricUserVerifier(user)
            .devicePasscodeUserVerifier(user).fingerprintUserVerifier(user).perform()
    }
}
