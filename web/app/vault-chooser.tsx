// The choice of a vault, if the server has several. The choice is part of the
// address, so that links and reloads keep it; searches look in all vaults.
import { addressOf, useNavigation, VAULT, vaultAt } from "../navigation/navigation.ts";
import { useServer } from "../server/server.ts";

export function VaultChooser() {
  const { client } = useServer();
  const { navigate } = useNavigation();
  const { vaults } = client;
  if (vaults.length < 2) return null;
  return (
    <label class="vault-chooser">
      <span>Vault</span>
      <select
        value={vaultAt(location) || vaults[0]}
        onChange={({ currentTarget }) => navigate(addressOf(VAULT, currentTarget.value))}
      >
        {vaults.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
