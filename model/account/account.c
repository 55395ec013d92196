// SPDX-License-Identifier: Apache-2.0
/* The tree of function stacks and the charges in it; see account.h. */
#include "model/account/account.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NODE UINT32_MAX
/* Direct-mapped, by (caller's node, function): a wrong entry costs a search among the siblings, never a wrong answer. */
#define REMEMBERED 1024u
#define STACK_TEXT 2048

struct node {
	const char *name;
	uint32_t function;
	uint32_t parent, first_child, next_sibling;
	ps_t amount[ACCOUNT_REASONS];
};

struct account {
	struct node *nodes;
	uint32_t node_count, node_capacity;
	uint32_t functions;       /* ids given out */
	uint32_t cpus;
	uint32_t *current;        /* node of each CPU */
	ps_t *cpu_total;
	ps_t window_start, window_end;
	uint32_t remembered[REMEMBERED];  /* nodes entered before; 0, the root, is nobody's child */
};

const char *account_reason_name(enum account_reason reason)
{
	static const char *const names[ACCOUNT_REASONS] = { "run", "line transfer", "spin", "device", "idle", "guest" };

	return names[reason];
}

static uint32_t node_new(struct account *account, const char *name, uint32_t function, uint32_t parent)
{
	struct node *node;

	if (account->node_count == account->node_capacity) {
		account->node_capacity = account->node_capacity ? 2 * account->node_capacity : 256;
		account->nodes = realloc(account->nodes, account->node_capacity * sizeof(*account->nodes));
		if (!account->nodes)
			abort();
	}
	node = &account->nodes[account->node_count];
	*node = (struct node){ .name = name, .function = function, .parent = parent, .first_child = NO_NODE,
			       .next_sibling = NO_NODE };
	if (parent != NO_NODE) {
		node->next_sibling = account->nodes[parent].first_child;
		account->nodes[parent].first_child = account->node_count;
	}
	return account->node_count++;
}

struct account *account_new(uint32_t cpus)
{
	struct account *account = calloc(1, sizeof(*account));

	if (!account)
		abort();
	account->cpus = cpus;
	account->current = calloc(cpus, sizeof(*account->current));
	account->cpu_total = calloc(cpus, sizeof(*account->cpu_total));
	if (!account->current || !account->cpu_total)
		abort();
	account->window_end = UINT64_MAX;
	node_new(account, "", 0, NO_NODE);  /* the root: outside every function */
	return account;
}

void account_free(struct account *account)
{
	if (!account)
		return;
	free(account->nodes);
	free(account->current);
	free(account->cpu_total);
	free(account);
}

static uint32_t child_of(struct account *account, uint32_t parent, const char *name, uint32_t function)
{
	uint32_t child = account->nodes[parent].first_child;

	while (child != NO_NODE && account->nodes[child].function != function)
		child = account->nodes[child].next_sibling;
	return child != NO_NODE ? child : node_new(account, name, function, parent);
}

void account_enter(struct account *account, cpu_id cpu, const char *name, uint32_t *id)
{
	const uint32_t parent = account->current[cpu.n];
	uint32_t *place, child;

	if (*id == 0)
		*id = ++account->functions;
	place = &account->remembered[(parent * 61 + *id) % REMEMBERED];
	child = *place;
	if (account->nodes[child].parent != parent || account->nodes[child].function != *id)
		*place = child = child_of(account, parent, name, *id);
	account->current[cpu.n] = child;
}

void account_leave(struct account *account, cpu_id cpu)
{
	uint32_t parent = account->nodes[account->current[cpu.n]].parent;

	assert(parent != NO_NODE && "left a function that was never entered");
	account->current[cpu.n] = parent;
}

uint32_t account_stack(const struct account *account, cpu_id cpu)
{
	return account->current[cpu.n];
}

void account_switch(struct account *account, cpu_id cpu, uint32_t stack)
{
	assert(stack < account->node_count);
	account->current[cpu.n] = stack;
}

void account_charge(struct account *account, cpu_id cpu, enum account_reason reason, ps_t amount, ps_t until)
{
	ps_t from = until - amount;

	assert(amount <= until);
	if (from < account->window_start)
		from = account->window_start;
	if (until > account->window_end)
		until = account->window_end;
	if (until <= from)
		return;
	account->nodes[account->current[cpu.n]].amount[reason] += until - from;
	account->cpu_total[cpu.n] += until - from;
}

void account_set_window(struct account *account, ps_t start, ps_t end)
{
	account->window_start = start;
	account->window_end = end;
}

ps_t account_cpu_total(const struct account *account, cpu_id cpu)
{
	return account->cpu_total[cpu.n];
}

static void stack_text(const struct account *account, uint32_t node, char *out, size_t size)
{
	size_t used;

	if (account->nodes[node].parent == NO_NODE) {
		out[0] = '\0';
		return;
	}
	stack_text(account, account->nodes[node].parent, out, size);
	used = strlen(out);
	snprintf(out + used, size - used, "%s%s", used ? ";" : "", account->nodes[node].name);
}

void account_visit(const struct account *account, account_visitor visit, void *context)
{
	char text[STACK_TEXT];

	for (uint32_t n = 0; n < account->node_count; n++) {
		bool named = false;

		for (int reason = 0; reason < ACCOUNT_REASONS; reason++) {
			if (!account->nodes[n].amount[reason])
				continue;
			if (!named) {
				stack_text(account, n, text, sizeof(text));
				named = true;
			}
			visit(context, text, (enum account_reason)reason, account->nodes[n].amount[reason]);
		}
	}
}
