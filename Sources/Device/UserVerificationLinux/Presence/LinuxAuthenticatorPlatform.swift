package import HardwareKeys

/// Verification capabilities of a Linux machine; querying them never prompts the user.
///
/// Fingers where fprintd has a sensor, the passcode where the PAM service is installed, no faces. Whether the account
/// has a passcode cannot be found out without a try, so one is taken for granted.
package struct LinuxAuthenticatorPlatform: AuthenticatorPlatform {
    private let sensor: any BiometricSensor
    private let service: PAMService

    package init(sensor: any BiometricSensor = FprintdSensor(), service: PAMService = .signet) {
        self.sensor = sensor
        self.service = service
    }

    package func support(for verification: PlatformVerification) async -> PlatformSupport {
        switch verification {
        case .fingerprint: await fingers()
        case .devicePasscode:
            PlatformSupport(
                isSupportedByHardware: true, isSupportedByOs: service.isInstalled, isEnrolled: service.isInstalled)
        case .face: .absent
        }
    }

    private func fingers() async -> PlatformSupport {
        guard let status = try? await sensor.status() else { return .absent }
        return switch status {
        case .enrolled: .complete
        case .empty: PlatformSupport(isSupportedByHardware: true, isSupportedByOs: true, isEnrolled: false)
        case .absent: PlatformSupport(isSupportedByHardware: false, isSupportedByOs: true, isEnrolled: false)
        default: .absent
        }
    }
}
