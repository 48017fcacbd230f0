package import MobileAuthentication

extension VirtualDevice {
    /// Registers an authenticator, which the user chooses, for a user.
    package func register(
        _ username: String, _ parameters: RegistrationParameters = RegistrationParameters(), user: any DeviceUser
    ) async throws(OperationError) {
        let operation = client.operations.registration.username(username)
            .authenticatorSelector(user).pinEnroller(user).passwordEnroller(user).biometricUserVerifier(user)
            .devicePasscodeUserVerifier(user).fingerprintUserVerifier(user)
        if parameters.allowsPasscodeFallback { operation.allowDevicePasscodeAsFallback(true) }
        if parameters.keepsOnNewBiometrics { operation.invalidateOnNewOsBiometrics(false) }
        if let name = parameters.deviceName {
            operation.deviceInformation(DeviceInformation(name: name, fcmRegistrationToken: parameters.pushToken))
        }
        if let authorization = parameters.authorization { operation.authorizationProvider(authorization) }
        try await operation.perform()
    }

    /// Authenticates a user and returns what the server issued.
    package func authenticate(
        _ username: String, user: any DeviceUser
    ) async throws(AuthenticationError) -> (any AuthorizationProvider)? {
        try await client.operations.authentication.username(username)
            .authenticatorSelector(user).pinUserVerifier(user).passwordUserVerifier(user).biometricUserVerifier(user)
            .devicePasscodeUserVerifier(user).fingerprintUserVerifier(user).perform()
    }

    /// Replaces the PIN of a user; no server takes part.
    package func changePin(_ username: String, user: any DeviceUser) async throws(PinChangeError) {
        try await client.operations.pinChange.username(username).pinChanger(user).perform()
    }

    /// Replaces the password of a user; no server takes part.
    package func changePassword(_ username: String, user: any DeviceUser) async throws(PasswordChangeError) {
        try await client.operations.passwordChange.username(username).passwordChanger(user).perform()
    }

    /// Removes authenticators of a user from server and device; without an AAID all of them.
    package func deregister(
        _ username: String, aaid: String? = nil, authorization: (any AuthorizationProvider)?
    ) async throws(OperationError) {
        let operation = client.operations.deregistration.username(username)
        if let aaid { operation.aaid(aaid) }
        if let authorization { operation.authorizationProvider(authorization) }
        try await operation.perform()
    }

    /// Deletes authenticators of a user from the device only; without an AAID all of them.
    package func deleteLocally(_ username: String, aaid: String? = nil) async throws(DeleteAuthenticatorError) {
        try await client.localData.removeAuthenticator(username: username, aaid: aaid)
    }

    /// Gives up what is damaged, and says how many registrations that were.
    package func deleteDamaged() async throws(DeleteAuthenticatorError) -> Int {
        let count = client.localData.damagedRegistrationCount
        try await client.localData.removeDamagedRegistrations()
        return count
    }

    /// Whether a server was not told yet that the keys of a user were deleted on this device.
    package func owesDeletion(of username: String) -> Bool {
        (client.localData as? any UnsettledAccounts)?.usersOfUntoldDeletions.contains(username) ?? false
    }

    /// The accounts of registrations that no server has answered; their keys are here, and unused.
    package var unansweredRegistrations: [any Account] {
        (client.localData as? any UnsettledAccounts)?.unansweredRegistrations ?? []
    }

    /// The authenticators of the device, in the order in which an application shows them.
    package var authenticators: [DeviceAuthenticator] {
        client.localData.authenticators.compactMap(DeviceAuthenticator.init)
    }

    package var registrations: [DeviceRegistration] { authenticators.flatMap(\.registrations) }

    package func aaid(of kind: AuthenticatorAaid) -> String? { authenticators.first { $0.kind == kind }?.aaid }
}

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
