import UAF
import UAFClient

/// Client that the initializer returns.
struct RunningClient: MobileAuthenticationClient {
    let environment: ClientEnvironment
    let data: LocalState
    let deviceCapabilities: DeviceCapabilities
    let applicationFacetId: String

    init(_ configuration: Configuration, _ ports: ClientPorts) async throws(CeremonyFailure) {
        try await ports.store.requireDeviceLock()
        data = try await LocalState(
            ports.store,
            for: ConfiguredServer(
                ServerAddress(configuration.baseUrl),
                alsoAt: configuration.additionalRedeemOrigins.map(ServerAddress.init)))
        environment = ClientEnvironment(configuration, ports, store: data)
        deviceCapabilities = DeviceCapabilities(
            keyProtection: ports.keyProtection, keyVaultWarning: ports.keyVaultWarning)
        applicationFacetId = ports.facetID.text
        MetaData.flavor.announce(to: environment.logger)
        environment.warnAboutConnection()
    }

    var operations: any Operations { RunningOperations(environment: environment) }

    var localData: any LocalData { data }
}

/// Factory of operations; each access makes a new one.
private struct RunningOperations: Operations {
    let environment: ClientEnvironment

    var registration: any Registration { RegistrationOperation(environment) }

    var authCloudApiRegistration: any AuthCloudApiRegistration { AuthCloudApiRegistrationOperation(environment) }

    var authentication: any Authentication { AuthenticationOperation(environment) }

    var deregistration: any Deregistration { DeregistrationOperation(environment) }

    var pinChange: any PinChange { PinChangeOperation(environment) }

    var passwordChange: any PasswordChange { PasswordChangeOperation(environment) }

    var outOfBandPayloadDecode: any OutOfBandPayloadDecode { OutOfBandPayloadDecodeOperation() }

    var outOfBandOperation: any OutOfBandOperation { OutOfBandRedeemOperation(environment) }

    var pendingOutOfBandOperations: any PendingOutOfBandOperations { PendingOperationsFetch(environment) }

    var deviceInformationChange: any DeviceInformationChange { DeviceInformationChangeOperation(environment) }

    var deviceInformationCheck: any DeviceInformationCheck { DeviceInformationCheckOperation(environment) }

    var deviceInformationSync: any DeviceInformationSync { DeviceInformationSyncOperation(environment) }
}
