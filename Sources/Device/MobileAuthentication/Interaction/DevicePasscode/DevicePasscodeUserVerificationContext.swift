/// Which authenticator asks for the passcode of the device.
public protocol DevicePasscodeUserVerificationContext: UserVerificationContext {}
