import HardwareKeys

extension ProtectionStatement {
    /// What a vault in a TPM is worth, with a chip that counts wrong secrets or one that is too old for it.
    init(trustedPlatformModuleCounting countsAttempts: Bool) {
        let counting =
            countsAttempts
            ? """
            Wrong PINs are counted by the chip, which locks a key for good at the limit: neither an older copy of the \
            files nor the administrator gets tries back.
            """
            : """
            This chip cannot count wrong PINs (TPM_NT_PIN_FAIL is missing): keys with counted secrets are refused, and \
            whoever counts in software must expect that an older copy of his files gives tries back.
            """
        self.init(
            provider: .trustedPlatformModule, attemptCounting: countsAttempts ? .hardware : .software,
            userGate: .software, rollbackDetection: .hardware,
            text: """
                Keys lie in the TPM chip of this machine and cannot be copied from it; the files hold them in a form \
                that only this chip reads. \(counting) Older copies of files are noticed by a counter in the chip. That \
                a user is present (fingerprint, passcode) is checked by this program alone: whoever controls the \
                account can use such keys on this machine without him. Clearing the TPM, or a new mainboard, destroys \
                all keys. Every account that may talk to the chip can burn the tries of a PIN or delete its counter, \
                which destroys the key but never opens it: keep the group tss, which owns /dev/tpmrm0, small.
                """)
    }
}
