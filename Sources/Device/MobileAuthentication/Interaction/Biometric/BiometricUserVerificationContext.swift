/// Which authenticator asks for a finger or a face.
public protocol BiometricUserVerificationContext: UserVerificationContext {}
