// The registry values as JSON numbers or strings; unknown values are kept.

extension UserVerification: RegistryNumber {}
extension KeyProtection: RegistryNumber {}
extension MatcherProtection: RegistryNumber {}
extension AttachmentHint: RegistryNumber {}
extension TransactionConfirmationDisplay: RegistryNumber {}
extension AuthenticationAlgorithm: RegistryNumber {}
extension PublicKeyFormat: RegistryNumber {}
extension AttestationType: RegistryNumber {}

extension AssertionScheme: RegistryName {}
extension ContentType: RegistryName {}
