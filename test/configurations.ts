// Configuration files of the hosts as they look on a machine in use: other
// servers, comments, commas at the end, tabs, and keys that connect knows
// nothing of; and what each looks like once commonplace is entered.

export interface Sample {
  readonly before: string;
  /** With an entry that starts `/opt/node /opt/commonplace.js`. */
  readonly after: string;
}

/** The sample whose `@@` lines are what the entry brings. */
function sample(text: string): Sample {
  const before = text
    .replace(/^@@.*\n/gm, "")
    .replaceAll("§,", "")
    .replaceAll("§", "");
  const after = text.replace(/^@@/gm, "").replaceAll("§,", ",").replaceAll("§", "");
  return { before, after };
}

export const SAMPLES: Readonly<Record<string, Sample>> = {
  "claude-desktop": sample(`{
  "globalShortcut": "Alt+Space",
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"]
    },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "ghp_example" }
    }§,
@@    "commonplace": {
@@      "command": "/opt/node",
@@      "args": [
@@        "/opt/commonplace.js"
@@      ]
@@    }
  },
  "preferences": { "quickEntryDictationShortcut": "capslock", "legacyQuickEntryEnabled": true }
}
`),
  "claude-code": sample(`{
  "numStartups": 41,
  "installMethod": "native",
  "tipsHistory": {
    "new-user-warmup": 1,
    "# for memory": 34
  },
  "projects": {
    "/home/me/code": {
      "allowedTools": [],
      "mcpServers": {
        "commonplace": {
          "type": "stdio",
          "command": "somewhere-else",
          "args": []
        }
      },
      "history": [
        {
          "display": "what does \\"mcpServers\\": {} mean?",
          "pastedContents": {}
        }
      ]
    }
  },
  "mcpServers": {
    "sentry": {
      "type": "http",
      "url": "https://mcp.sentry.dev/mcp"
    }§,
@@    "commonplace": {
@@      "type": "stdio",
@@      "command": "/opt/node",
@@      "args": [
@@        "/opt/commonplace.js"
@@      ]
@@    }
  },
  "userID": "0123456789abcdef"
}`),
  cursor: sample(`// Cursor: all projects
{
	"mcpServers": {
		/* the browser */
		"playwright": {
			"command": "npx",
			"args": ["@playwright/mcp@latest"],
			"env": {},
		}, // pinned some day
		// "old": { "command": "gone" },
@@		"commonplace": {
@@			"command": "/opt/node",
@@			"args": [
@@				"/opt/commonplace.js"
@@			]
@@		},
	},
}
`),
  windsurf: sample(`{
    "mcpServers": {
        "zapier": {
            "serverUrl": "https://actions.zapier.com/mcp/key/sse",
            "disabled": true,
            "alwaysAllow": ["a", "b"]
        }§,
@@        "commonplace": {
@@            "command": "/opt/node",
@@            "args": [
@@                "/opt/commonplace.js"
@@            ]
@@        }
    }
}
`),
  vscode: sample(`{
	// Asked for once, then kept
	"inputs": [
		{ "type": "promptString", "id": "token", "description": "API token", "password": true },
	],
	"servers": {
		"perplexity": {
			"type": "stdio",
			"command": "npx",
			"args": ["-y", "server-perplexity-ask"],
			"env": { "PERPLEXITY_API_KEY": "\${input:token}" }
		}§, // since March
@@		"commonplace": {
@@			"type": "stdio",
@@			"command": "/opt/node",
@@			"args": [
@@				"/opt/commonplace.js"
@@			]
@@		}
	}
}
`),
  codex: sample(`# ~/.codex/config.toml
model = "gpt-5.4"          # the default
approval_policy = "on-request"
notify = ["python3", "/home/me/.codex/notify.py"]

[mcp_servers.context7]
command = "npx"
args = ["-y", "@upstash/context7-mcp"]
startup_timeout_sec = 20.0

[mcp_servers.context7.env]
"API_KEY" = 'ctx-example'

[[skills.config]]
path = "/home/me/skills"

[projects."/home/me/code"]
trust_level = "trusted"
@@
@@[mcp_servers.commonplace]
@@command = "/opt/node"
@@args = ["/opt/commonplace.js"]
`),
  gemini: sample(`{
  "security": { "auth": { "selectedType": "gemini-api-key" } }, // by key
  "ui": {
    "theme": "GitHub"
  },
  "mcpServers": {
    "git": {
      "command": "uvx",
      "args": ["mcp-server-git"],
      "timeout": 30000,
      "trust": false
    }§,
@@    "commonplace": {
@@      "command": "/opt/node",
@@      "args": [
@@        "/opt/commonplace.js"
@@      ]
@@    }
  },
  /* shown at start */
  "general": { "vimMode": true }
}
`),
  qwen: sample(`{
  "model": { "name": "qwen3-coder-plus" },
  "mcpServers": {
    "weather": { "httpUrl": "http://localhost:3000/mcp", "timeout": 5000 }§,
@@    "commonplace": {
@@      "command": "/opt/node",
@@      "args": [
@@        "/opt/commonplace.js"
@@      ]
@@    }
  },
  "$version": 2
}
`),
  opencode: sample(`{
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": true, // of the program
  "mcp": {
    "everything": {
      "type": "local",
      "command": ["npx", "-y", "@modelcontextprotocol/server-everything"],
      "enabled": false,
    },
    "docs": { "type": "remote", "url": "https://mcp.example.com/mcp" },
@@    "commonplace": {
@@      "type": "local",
@@      "command": [
@@        "/opt/node",
@@        "/opt/commonplace.js"
@@      ]
@@    },
  },
}
`),
  "copilot-cli": sample(`{
  "mcpServers": {
    "playwright": {
      "type": "local",
      "command": "npx",
      "args": ["@playwright/mcp@latest"],
      "env": {},
      "tools": ["*"]
    }§,
@@    "commonplace": {
@@      "type": "local",
@@      "command": "/opt/node",
@@      "args": [
@@        "/opt/commonplace.js"
@@      ],
@@      "tools": [
@@        "*"
@@      ]
@@    }
  }
}
`),
};
